import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const columns = 14;
const nodes = Array.from({ length: 150 }, (_, index) => ({
  id: `n${index}`,
  type: "log",
  name: `Step ${index}`,
  position: { x: (index % columns) * 420, y: Math.floor(index / columns) * 220 },
  config: { message: "x" },
}));
const edges = nodes.slice(1).map(({ id }, index) => ({ source: `n${index}`, target: id }));

test("a large zoomed-out flow has all its wires: they can be selected, inserted into, and are there again after zooming in", async ({
  signedIn: page,
  preparation,
}) => {
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow({ name: "Far", trigger: { type: "manual" }, nodes, edges }));
  const wires = page.locator(".react-flow__edge");
  await page.getByRole("button", { name: "Show the whole flow" }).click();
  await expect(editor.node("n149")).toBeInViewport();
  // One more leads from the trigger.
  await expect(wires).toHaveCount(edges.length + 1);
  await expect(page.getByRole("img", { name: "Edge from n20 to n21" })).toBeAttached();
  await expect(editor.node("n20")).toHaveAttribute("aria-label", "Step 20");

  const between = async () => {
    const [from, to] = [await editor.node("n20").boundingBox(), await editor.node("n21").boundingBox()];
    if (from === null || to === null) throw new Error("they are not on the canvas");
    return { x: (from.x + from.width + to.x) / 2, y: from.y + from.height / 2 };
  };
  const middle = await between();
  await page.mouse.click(middle.x, middle.y);
  await expect(page.locator(".react-flow__edge.selected")).toHaveAttribute("aria-label", "Edge from n20 to n21");

  const palette = page.getByRole("complementary", { name: "Node types" });
  await palette.getByRole("button", { name: "Transform" }).dragTo(page.locator(".react-flow__pane"), {
    targetPosition: await middleIn(page.locator(".react-flow__pane"), middle),
  });
  await expect(page.getByRole("img", { name: "Edge from n20 to transform" })).toBeAttached();
  await editor.saved();

  const zoomIn = page.getByRole("button", { name: "Zoom in", exact: true });
  await editor.node("n75").click();
  for (let times = 0; times < 6; times += 1) await zoomIn.click();
  await expect(editor.node("n75").getByText("Step 75")).toBeVisible();
  // A straight line has no height, and counts as hidden.
  await expect(page.getByRole("img", { name: "Edge from n75 to n76" })).toBeAttached();
});

async function middleIn(
  pane: { boundingBox(): Promise<{ x: number; y: number } | null> },
  point: { x: number; y: number },
) {
  const box = await pane.boundingBox();
  if (box === null) throw new Error("there is no canvas");
  return { x: point.x - box.x, y: point.y - box.y };
}
