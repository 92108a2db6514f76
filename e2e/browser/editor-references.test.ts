import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const make = {
  id: "make",
  type: "transform",
  name: "Make",
  position: { x: 320, y: 0 },
  config: { transform: "({ id: 7 })" },
};
const tell = {
  id: "tell",
  type: "log",
  name: "Tell",
  position: { x: 660, y: 0 },
  config: { message: "{{ $nodes['make'].output.id }}" },
};

test("deleting a node that another reads marks card and field, and shows no old value; the flow can still be saved", async ({
  signedIn: page,
  preparation,
}) => {
  const edges = [{ source: "make", target: "tell" }];
  const flow = await preparation.createFlow({ name: "Read", trigger: { type: "manual" }, nodes: [make, tell], edges });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  await expect(editor.node("make")).toContainText("Completed");
  await expect(editor.node("make")).toHaveAccessibleDescription(/^Completed/);
  await editor.select("tell");
  const panel = page.getByRole("complementary", { name: "Node", exact: true });
  await expect(panel.locator('[data-field="message"]')).toContainText("7");

  await editor.select("make");
  await page.keyboard.press("Delete");
  await expect(editor.node("make")).toHaveCount(0);
  await expect(editor.node("tell")).toHaveAccessibleName("Tell, 1 problem");
  await editor.select("tell");
  const field = panel.locator('[data-field="message"]');
  await expect(field).toContainText('Reads "make", which is not a node of this flow');
  await expect(field.getByRole("button", { name: "= 7" })).toHaveCount(0);
  await editor.saved();

  await page.getByRole("button", { name: "More about this flow" }).click();
  await page.getByRole("menuitem", { name: "Flow problems" }).click();
  await expect(page.getByText("The flow can go live.")).toBeVisible();
  await page.getByRole("button", { name: /Tell · message/ }).click();
  await expect(panel.getByRole("textbox", { name: "Message", exact: true })).toBeFocused();
});

test("a loop with a body is duplicated: the copy is saved, and runs", async ({ signedIn: page, preparation }) => {
  const body = {
    nodes: [
      { id: "double", type: "transform", config: { transform: "$item * 2" } },
      { id: "say", type: "log", config: { message: "{{ $nodes.double.output }}" } },
    ],
    edges: [{ source: "double", target: "say" }],
  };
  const loop = {
    id: "each",
    type: "loop",
    name: "Each",
    position: { x: 320, y: 0 },
    config: { items: "[1, 2]", body },
  };
  const flow = await preparation.createFlow({ name: "Twice", trigger: { type: "manual" }, nodes: [loop] });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("each");
  await page.keyboard.press("ControlOrMeta+d");
  await expect(editor.node("each-2")).toBeVisible();
  await editor.saved();
  await editor.runWith({});
  await expect(editor.run).toContainText("Completed");
  const stored = await preparation.call("GET", `/flows/${flow}`);
  expect(JSON.stringify(stored.nodes[1].config.body)).toContain("$nodes['double-2'].output");
});

test("an unfinished node of a live flow is saved, and refused when it is published: the field is named, and led to", async ({
  signedIn: page,
  preparation,
}) => {
  const ask = {
    id: "ask",
    type: "http-request",
    name: "Ask",
    position: { x: 320, y: 0 },
    config: { url: "http://a.test" },
  };
  const flow = await preparation.createFlow({ name: "Strict", trigger: { type: "webhook" }, nodes: [ask] });
  await preparation.changeFlow(flow, { status: "active" });
  const editor = new EditorPage(page);
  await editor.open(flow);
  await editor.select("ask");
  await editor.write("URL", " ");
  await page.keyboard.press("Backspace");
  await expect(editor.unpublished).toContainText("1 unpublished change");
  await editor.saved();
  await expect(page.getByRole("alert").filter({ hasText: "Can’t save" })).toHaveCount(0);
  await editor.unpublished.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish the changes" });
  await expect(dialog).toContainText("Fix these before publishing");
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(dialog).toBeHidden();
  const problems = page.getByRole("complementary", { name: "Problems" });
  await problems.getByRole("button", { name: /^Ask/ }).click();
  await expect(page.getByRole("textbox", { name: "URL", exact: true })).toBeFocused();
  expect((await preparation.call("GET", `/flows/${flow}`)).version).toBe(1);
});
