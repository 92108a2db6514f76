import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const greeting = {
  id: "greet",
  type: "transform",
  name: "Greet",
  position: { x: 300, y: 0 },
  config: { transform: "({ hello: $trigger.body.customer.name })" },
};

test("a failed run says where and why; once fixed, it completes", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(
    await preparation.createFlow({ name: "Break and mend", trigger: { type: "manual" }, nodes: [greeting] }),
  );
  await editor.runWith({});
  await expect(editor.run).toContainText("Failed");
  await editor.node("greet").click();
  await expect(editor.run.getByRole("tabpanel", { name: "Error" })).toContainText("Transform: ");
  // The preview under the field says the same, over that run's data.
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  await expect(panel).toContainText("cannot read property");
  await editor.write("Transform", "({ hello: $trigger.body.customer?.name ?? 'stranger' })");
  await expect(panel).toContainText('{"hello":"stranger"}');
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  await expect(editor.run.getByRole("region", { name: "Output of Greet" })).toContainText("stranger");
});

test("making a flow live lists what has to be fixed and leads there", async ({ signedIn: page, preparation }) => {
  const nodes = [{ id: "ask", type: "http-request", name: "Ask", position: { x: 300, y: 0 } }];
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Not yet", trigger: { type: "webhook" }, nodes }));
  await editor.live.click();
  await page.getByRole("complementary", { name: "Problems" }).getByRole("button", { name: /Ask/ }).click();
  await editor.write("URL", "https://example.com/");
  await expect(editor.node("ask").getByText("1 problem")).toHaveCount(0);
  await editor.live.click();
  await expect(editor.live).toBeChecked();
});
