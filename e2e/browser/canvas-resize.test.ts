import type { Page } from "@playwright/test";
import { expect, test } from "./signed-in.ts";

const step = (id: string, x: number) => ({
  id,
  type: "transform",
  name: `Step ${id}`,
  position: { x, y: 0 },
  config: { transform: "1" },
});
const flow = {
  name: "A row of four",
  trigger: { type: "manual" },
  nodes: [step("a", 0), step("b", 320), step("c", 640), step("d", 960)],
  edges: [
    { source: "a", target: "b" },
    { source: "b", target: "c" },
    { source: "c", target: "d" },
  ],
};

const leftOf = async (page: Page) =>
  (await page.locator('.react-flow__node[data-id="trigger"]').boundingBox())?.x ?? Number.NaN;
const rightOf = async (page: Page) => {
  const box = await page.locator('.react-flow__node[data-id="d"]').boundingBox();
  return box === null ? Number.NaN : box.x + box.width;
};

test("a run's picture fits its canvas again after a resize, until somebody moves it", async ({
  signedIn: page,
  preparation,
}) => {
  const run = await preparation.run(await preparation.createFlow(flow), {});
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(`/runs/${run}`);
  await expect.poll(() => rightOf(page)).toBeGreaterThan(1000);
  await page.setViewportSize({ width: 1000, height: 900 });
  await expect.poll(() => rightOf(page)).toBeLessThan(1000);

  // From 390 px, where only the flow's beginning has room, back to all of it.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => rightOf(page)).toBeGreaterThan(390);
  await expect.poll(() => leftOf(page)).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1000, height: 900 });
  await expect.poll(() => rightOf(page)).toBeLessThan(1000);

  const canvas = await page.locator(".react-flow__pane").boundingBox();
  const [from, to] = [canvas?.x ?? 0, (canvas?.x ?? 0) + (canvas?.width ?? 0)];
  await expect.poll(async () => Math.abs((await leftOf(page)) - from - (to - (await rightOf(page))))).toBeLessThan(4);
  const before = await leftOf(page);
  const at = { x: from + 40, y: (canvas?.y ?? 0) + 20 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 100, at.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await leftOf(page)) - before)).toBeGreaterThan(95);
  const moved = await leftOf(page);
  await page.setViewportSize({ width: 1100, height: 900 });
  await expect.poll(async () => (await page.locator(".react-flow").boundingBox())?.width ?? 0).toBeGreaterThan(800);
  expect(Math.abs((await leftOf(page)) - moved)).toBeLessThan(8);
});
