import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test("a flow is drawn, wired, named and run by keyboard alone", async ({ signedIn: page }) => {
  const editor = new EditorPage(page);
  const { keyboard } = page;
  await editor.begin();
  await keyboard.press("ArrowRight");
  await keyboard.press("a");
  await page.getByRole("dialog", { name: "Add a node" }).waitFor();
  await keyboard.type("if");
  await keyboard.press("Enter");
  await expect(editor.node("if-else")).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.insertText("$trigger.body.total > 100");
  await keyboard.press("Escape");

  await editor.node("if-else").focus();
  await keyboard.press("a");
  await page.getByRole("dialog", { name: "Add a node" }).waitFor();
  await keyboard.type("transform");
  await keyboard.press("Enter");
  await expect(editor.node("transform")).toBeFocused();
  await keyboard.press("Enter");
  await keyboard.insertText("({ big: true })");
  await editor.node("transform").focus();
  await keyboard.press("F2");
  await keyboard.type("Call it big");
  await expect(editor.node("transform")).toContainText("Call it big");

  await editor.node("transform").focus();
  await keyboard.press("ArrowLeft");
  await expect(editor.node("if-else")).toBeFocused();
  await keyboard.press("ArrowRight");
  await expect(editor.node("transform")).toBeFocused();

  await keyboard.press("ControlOrMeta+Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Input")).toBeFocused();
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type('{"total": 120}');
  await keyboard.press("ControlOrMeta+Enter");
  await expect(editor.run).toContainText("Completed");
  await expect(editor.run.getByRole("region", { name: "Output of Call it big" })).toContainText("true");
});
