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
