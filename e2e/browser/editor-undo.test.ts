import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test("twenty steps are undone one by one and redone, configuration included", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const nodes = [{ id: "say", type: "log", name: "Say", position: { x: 300, y: 0 } }];
  await editor.open(await preparation.createFlow({ name: "Step by step", trigger: { type: "manual" }, nodes }));
  await editor.node("say").click();
  await editor.write("Message", "one gesture");
  await editor.node("say").focus();
  for (let step = 1; step < 20; step += 1) await page.keyboard.press("ControlOrMeta+d");
  await expect(page.locator(".react-flow__node")).toHaveCount(21);

  for (let step = 1; step < 20; step += 1) await page.keyboard.press("ControlOrMeta+z");
  await expect(page.locator(".react-flow__node")).toHaveCount(2);
  await page.keyboard.press("ControlOrMeta+z");
  await expect(editor.node("say")).not.toContainText("one gesture");
  await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");

  for (let step = 0; step < 20; step += 1) await page.keyboard.press("ControlOrMeta+Shift+z");
  await expect(page.locator(".react-flow__node")).toHaveCount(21);
  await expect(editor.node("say")).toContainText("one gesture");
  await editor.saved();
});

test("a window that gets narrower keeps the editor, its undo history and what is half typed", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  const nodes = [{ id: "say", type: "log", name: "Say", position: { x: 300, y: 0 } }];
  await editor.open(await preparation.createFlow({ name: "Narrowed", trigger: { type: "manual" }, nodes }));
  await editor.select("say");
  await editor.write("Message", "undone later");
  await editor.saved();
  await page.getByRole("radiogroup", { name: "Node view" }).getByText("JSON").click();
  const json = page.getByRole("textbox", { name: "Config as JSON" });
  await json.fill('{ "half": ');
  for (const width of [600, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    await expect(json).toContainText('"half"');
  }
  await editor.node("say").focus();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(editor.node("say")).not.toContainText("undone later");
});
