import { EditorPage } from "./editor-page.ts";
import { expect, test } from "./signed-in.ts";

const nodes = [
  { id: "make", type: "transform", name: "Make", position: { x: 320, y: 0 }, config: { transform: "[1, 2, 3]" } },
  {
    id: "count",
    type: "transform",
    name: "Count",
    position: { x: 660, y: 0 },
    config: { transform: "$node.output.length" },
  },
];

test("the drawer keeps its height, set by keyboard or mouse, also after a reload", async ({
  signedIn: page,
  preparation,
}) => {
  const flow = { name: "Drawer", trigger: { type: "manual" }, nodes, edges: [{ source: "make", target: "count" }] };
  const editor = new EditorPage(page);
  await editor.open(await preparation.createFlow(flow));
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await editor.runWith({});
  // Only the length is loaded for every node: the list itself comes when the node is opened.
  await expect(editor.node("make")).toContainText("3 items");
  expect(requests.filter((url) => url.includes("includeNodeOutputs=true"))).toEqual([]);
  expect(requests.filter((url) => url.includes("/nodes/make"))).toEqual([]);
  await editor.node("make").click();
  await expect(editor.run.getByRole("region", { name: "Output of Make" })).toContainText("3");
  expect(requests.filter((url) => url.includes("/nodes/make"))).toHaveLength(1);

  const grip = page.getByRole("separator", { name: "Drawer height" });
  const height = async () => Math.round((await editor.run.boundingBox())?.height ?? 0);
  const before = await height();
  await grip.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect.poll(height).toBe(before + 48);
  await expect(grip).toHaveAttribute("aria-valuenow", String(before + 48));
  const box = await grip.boundingBox();
  if (box === null) throw new Error("there is no grip");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 30);
  await page.mouse.up();
  await expect.poll(height).toBe(before + 78);

  await page.reload();
  await expect(editor.node("make")).toBeVisible();
  await editor.runWith({});
  await expect.poll(height).toBe(before + 78);
});
