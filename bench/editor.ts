// How long the editor takes to open a flow, and how evenly it moves: measured in Chromium by its own tracing.
import type { Browser, Page } from "@playwright/test";
import { type RunningServer, startServer } from "../e2e/support/server.ts";
import { openBrowser, signIn } from "./browser.ts";

const sizes = [50, 500, 1_000] as const;
const edgesPerNode = 1.4;
const framesAsked = 90;

export async function editorBenchmark(): Promise<void> {
  const server = await startServer();
  const browser = await openBrowser();
  try {
    const page = await signIn(browser, server);
    console.log("nodes  edges  open ms  pan fps p50  pan frame p95 ms  drag fps p50");
    for (const size of sizes) {
      const id = await makeFlow(server, size);
      const opened = await open(page, server, id);
      const pan = await framesDuring(browser, page, () => wheel(page));
      const drag = await framesDuring(browser, page, () => dragNode(page));
      const edges = Math.round(size * edgesPerNode);
      console.log(
        [
          String(size).padStart(5),
          String(edges).padStart(6),
          String(opened).padStart(8),
          String(fps(pan)).padStart(12),
          percentile(pan, 0.95).toFixed(1).padStart(17),
          String(fps(drag)).padStart(13),
        ].join(" "),
      );
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** A grid of nodes, each led to by the one before it and some by one further back. */
async function makeFlow({ url, apiKey }: RunningServer, size: number): Promise<string> {
  const nodes = Array.from({ length: size }, (_, index) => ({
    id: `n${index}`,
    type: "transform",
    name: `Step ${index}`,
    position: { x: (index % 25) * 330, y: Math.floor(index / 25) * 120 },
    config: { transform: "$node.output" },
  }));
  const edges = nodes.slice(1).map((node, index) => ({ source: `n${index}`, target: node.id }));
  for (let index = 26; edges.length < Math.round(size * edgesPerNode) && index < size; index += 2) {
    edges.push({ source: `n${index - 26}`, target: `n${index}` });
  }
  const answer = await fetch(`${url}/api/v1/flows`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name: `Benchmark of ${size}`, trigger: { type: "manual" }, nodes, edges }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).data.id;
}

/** Milliseconds from asking for the page until its cards are painted. */
async function open(page: Page, { url }: RunningServer, id: string): Promise<number> {
  const start = performance.now();
  await page.goto(`${url}/flows/${id}`, { waitUntil: "commit" });
  await page.locator(".react-flow__node").nth(20).waitFor({ state: "attached" });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));
  return Math.round(performance.now() - start);
}

async function wheel(page: Page): Promise<void> {
  await page.mouse.move(800, 450);
  for (let step = 0; step < framesAsked; step += 1)
    await page.mouse.wheel(step % 30 < 15 ? 24 : -24, step % 20 < 10 ? 12 : -12);
}

async function dragNode(page: Page): Promise<void> {
  const box = await page.locator('.react-flow__node[data-id="n12"]').boundingBox();
  if (box === null) return;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  for (let step = 0; step < framesAsked; step += 1)
    await page.mouse.move(box.x + 20 + step * 2, box.y + 20 + (step % 20) * 3);
  await page.mouse.up();
}

/** Milliseconds between the frames that the browser drew meanwhile, from its trace. */
async function framesDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ["cc,benchmark,disabled-by-default-devtools.timeline.frame"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const times = (traceEvents as { name: string; ts: number }[])
    .filter((event) => event.name === "DrawFrame")
    .map((event) => event.ts / 1_000)
    .sort((a, b) => a - b);
  return times.slice(1).map((time, index) => time - (times[index] ?? time));
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function fps(frames: readonly number[]): number {
  const median = percentile(frames, 0.5);
  return median === 0 ? 0 : Math.round(1_000 / median);
}
