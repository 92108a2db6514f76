import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const ask = {
  id: "ask",
  type: "transform",
  name: "Ask",
  position: { x: 320, y: 0 },
  config: { transform: "({ total: 12.5, retries: 3 })" },
};
const call = {
  id: "call",
  type: "http-request",
  name: "Call",
  position: { x: 660, y: 0 },
  config: { url: "https://example.com/" },
};
const edges = [{ source: "ask", target: "call" }];

test("a path of an earlier node's data is dragged into fields, and each shows what it comes to", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = await preparation.createFlow({ name: "Drag", trigger: { type: "manual" }, nodes: [ask, call], edges });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.node("call").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Run to this node" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await editor.node("ask").click();
  await expect(editor.run.getByRole("region", { name: "Output of Ask" })).toContainText("12.5");
  await editor.node("call").click();
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  await panel.getByText("Data in reach").click();
  const data = panel.getByRole("region", { name: "Data of Ask" });

  const url = panel.getByRole("textbox", { name: "URL", exact: true });
  await data.getByText("total").dragTo(url);
  await expect(url).toContainText("Ask.output.total }}");
  await expect(panel).toContainText("12.5");
  await panel.getByText("More options").click();
  await data.getByText("retries").dragTo(panel.getByRole("textbox", { name: "Timeout", exact: true }));
  await expect(panel.locator('[data-field="timeoutMs"]')).toContainText("Ask.output.retries");
  await editor.saved();
});

test("a reference to a node that is typed key by key is what was typed, and is completed from real data", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(
    await preparation.createFlow({ name: "Typed", trigger: { type: "manual" }, nodes: [ask, call], edges }),
  );
  await editor.runWith({});
  await expect(editor.node("ask")).toContainText("ms");
  await editor.node("call").click();
  const url = page.getByRole("textbox", { name: "URL", exact: true });
  await url.click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("={ { $nodes['ask'].output.to".replaceAll(" ", ""));
  await expect(page.getByRole("option", { name: "total" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(url).toContainText("Ask.output.total");
  await page.getByRole("radiogroup", { name: "How the node is shown" }).getByText("JSON").click();
  await expect(page.getByRole("textbox", { name: "Config as JSON" })).toContainText("$nodes['ask'].output.total");
});

test("a credential is made in place, and is the one that the node takes", async ({ signedIn: page, preparation }) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Keys", trigger: { type: "manual" }, nodes: [call] }));
  await editor.node("call").click();
  await page.getByRole("button", { name: "New", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New credential" });
  const name = `shop_${crypto.randomUUID().slice(0, 8)}`;
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("textbox", { name: "Token" }).fill("a-secret-token");
  await dialog.getByRole("button", { name: "Store it" }).click();
  await expect(dialog).toBeHidden();
  const chosen = page.getByRole("combobox", { name: "Credential" });
  await expect(chosen).toHaveValue(name);
  await editor.saved();
  await page.reload();
  await editor.node("call").click();
  await expect(chosen).toHaveValue(name);
});
