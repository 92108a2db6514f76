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
  await expect(page.getByRole("img", { name: "Wire from Step 20 to Step 21" })).toBeAttached();
  await expect(editor.node("n20")).toHaveAttribute("aria-label", "Step 20");

  const between = async () => {
    const [from, to] = [await editor.node("n20").boundingBox(), await editor.node("n21").boundingBox()];
    if (from === null || to === null) throw new Error("they are not on the canvas");
    return { x: (from.x + from.width + to.x) / 2, y: from.y + from.height / 2 };
  };
  const middle = await between();
  await page.mouse.click(middle.x, middle.y);
  await expect(page.locator(".react-flow__edge.selected")).toHaveAttribute(
    "aria-label",
    "Wire from Step 20 to Step 21",
  );

  const palette = page.getByRole("complementary", { name: "Node types" });
  await palette.getByRole("button", { name: "Transform" }).dragTo(page.locator(".react-flow__pane"), {
    targetPosition: await middleIn(page.locator(".react-flow__pane"), middle),
  });
  await expect(page.getByRole("img", { name: "Wire from Step 20 to Transform" })).toBeAttached();
  await editor.saved();

  const zoomIn = page.getByRole("button", { name: "Zoom in", exact: true });
  await editor.node("n75").click();
  for (let times = 0; times < 6; times += 1) await zoomIn.click();
  await expect(editor.node("n75").getByText("Step 75")).toBeVisible();
  // A straight line has no height, and counts as hidden.
  await expect(page.getByRole("img", { name: "Wire from Step 75 to Step 76" })).toBeAttached();
});

test("a zoomed-out run says what its nodes wait for and which are disabled, as cards do", async ({
  signedIn: page,
  preparation,
}) => {
  const [first, second, ...rest] = nodes;
  const definition = {
    name: "Far and waiting",
    trigger: { type: "manual" },
    nodes: [{ ...first, disabled: true }, { ...second, type: "delay", config: { ms: 3_600_000 } }, ...rest],
    edges,
  };
  const flow = await preparation.createFlow(definition);
  const run = await preparation.run(flow, {});
  await expect.poll(async () => (await preparation.call("GET", `/executions/${run}`)).waitingFor).toBe("time");
  const editor = new EditorPage(page);
  await page.goto(`/flows/${flow}?run=${run}`);
  await page.getByRole("button", { name: "Show the whole flow" }).click();
  await expect(editor.node("n149")).toBeInViewport();
  const until = /aiting until (\d+ \w{3}, )?\d\d:\d\d/;
  await expect(editor.node("n1").getByTitle(until)).toHaveText(until);
  await expect(editor.node("n0").getByTitle("Step 0: disabled")).toHaveText("Disabled");
  await preparation.call("POST", `/executions/${run}/cancel`, {});
  await expect(editor.node("n1").getByTitle("Step 1: cancelled")).toBeAttached();
});

async function middleIn(
  pane: { boundingBox(): Promise<{ x: number; y: number } | null> },
  point: { x: number; y: number },
) {
  const box = await pane.boundingBox();
  if (box === null) throw new Error("there is no canvas");
  return { x: point.x - box.x, y: point.y - box.y };
}
