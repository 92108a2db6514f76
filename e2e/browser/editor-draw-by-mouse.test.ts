import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

test("a flow that checks an order and answers is drawn from nothing by mouse, and runs", async ({ signedIn: page }) => {
  const editor = new EditorPage(page);
  await editor.begin();
  await page
    .getByRole("button", { name: "If / else" })
    .dragTo(page.locator(".react-flow__pane"), { targetPosition: { x: 420, y: 260 } });
  await editor.write("Condition", "$trigger.body.items.length > 0");

  const check = await editor.middleOf("if-else");
  await editor.dragTo(editor.handle("if-else", "true"), { x: check.x + 220, y: check.y - 130 });
  await editor.choose("transform");
  await editor.write("Transform", "({ total: $trigger.body.items.length * 20 })");

  await page
    .getByRole("button", { name: "Respond" })
    .dragTo(page.locator(".react-flow__pane"), { targetPosition: { x: 560, y: 520 } });
  await editor.dragTo(editor.handle("if-else", "false"), await editor.middleOf("respond"));
  await expect(page.locator('.react-flow__edge[data-id="if-else.false→respond"]')).toHaveCount(1);

  await editor.runWith({ items: [1, 2] });
  await expect(editor.run).toContainText("Completed");
  await editor.node("transform").click();
  await expect(editor.run.getByRole("region", { name: "Output of Transform" })).toContainText("40");
  await editor.node("respond").click();
  await expect(editor.run).toContainText("it left by true, not by false");
  await expect(editor.run).toContainText("$trigger.body.items.length > 0");
});

test("an edge that would make a circle is refused with the reason, and a node let go on a wire goes into it", async ({
  signedIn: page,
  preparation,
}) => {
  const at = (id: string, x: number) => ({ id, type: "log", name: id, position: { x, y: 0 } });
  const id = await preparation.createFlow({
    name: "In a row",
    trigger: { type: "manual" },
    nodes: [at("first", 0), at("second", 420)],
    edges: [{ source: "first", target: "second" }],
  });
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.dragTo(editor.handle("second", "plain"), await editor.middleOf("first"));
  await expect(page.getByText("That would make a circle: first → second → first")).toBeVisible();

  const [from, to] = [await editor.middleOf("first"), await editor.middleOf("second")];
  const pane = await page.locator(".react-flow__pane").boundingBox();
  const middle = { x: (from.x + to.x) / 2 - (pane?.x ?? 0), y: from.y + 6 - (pane?.y ?? 0) };
  await page
    .getByRole("button", { name: "Code", exact: true })
    .dragTo(page.locator(".react-flow__pane"), { targetPosition: middle, force: true });
  await expect(page.locator('.react-flow__edge[data-id="first→code"]')).toHaveCount(1);
  await expect(page.locator('.react-flow__edge[data-id="code→second"]')).toHaveCount(1);
});
