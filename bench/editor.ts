// How long the editor takes to open a flow, and how smoothly it moves, measured in Chromium by its own tracing.
import type { Browser, Page } from "@playwright/test";
import { type RunningServer, startServer } from "../e2e/support/server.ts";
import { openBrowser, signIn } from "./browser.ts";
import { checkouts } from "./millrace.ts";

const sizes = [50, 500, 1_000] as const;
const edgesPerNode = 1.4;
const typed = "$node.output + 'what somebody types, letter by letter'";
const [eventMs, eventsSent, keyMs] = [10, 240, 50] as const;
const pairedTurns = 3;

const columns = {
  nodes: 6,
  edges: 6,
  "open ms": 8,
  "pan fps": 8,
  "p95 ms": 7,
  "drag fps": 9,
  "whole: pan": 11,
  "whole: drag": 12,
  "key ms p50": 11,
  "most ms": 8,
} as const;

/** With BENCH_BASE, measures that checkout and this one in turns. */
export async function editorBenchmark(): Promise<void> {
  const servers: RunningServer[] = [];
  const browser = await openBrowser();
  try {
    const sides: { readonly name: string; readonly server: RunningServer; readonly page: Page }[] = [];
    for (const { name, ...where } of checkouts()) {
      const server = await startServer(where);
      servers.push(server);
      sides.push({ name, server, page: await signIn(browser, server) });
    }
    printRow(Object.keys(columns));
    for (const size of sizes) {
      for (let turn = 0; turn < (sides.length > 1 ? pairedTurns : 1); turn += 1) {
        for (const { name, server, page } of sides) {
          const figures = await measure(browser, page, server, size);
          printRow([size, Math.round(size * edgesPerNode), ...figures, ...(sides.length > 1 ? [name] : [])]);
        }
      }
    }
  } finally {
    await browser.close();
    for (const server of servers) await server.stop();
  }
}

async function measure(browser: Browser, page: Page, server: RunningServer, size: number) {
  const id = await makeFlow(server, size);
  await page.bringToFront();
  const opened = await open(page, server, id);
  const pan = await framesDuring(browser, page, () => wheel(page));
  const drag = await framesDuring(browser, page, () => dragNode(page, "n1"));
  const keys = await keysDuring(browser, page, () => type(page, "n1"));
  await fitView(page);
  const wholePan = await framesDuring(browser, page, () => wheel(page));
  const wholeDrag = await framesDuring(browser, page, () => dragNode(page, "n12"));
  const frames = [fps(pan), percentile(pan, 0.95).toFixed(1), fps(drag), fps(wholePan), fps(wholeDrag)];
  return [opened, ...frames, percentile(keys, 0.5).toFixed(1), percentile(keys, 1).toFixed(1)];
}

function printRow(values: readonly (string | number)[]): void {
  const widths = Object.values(columns);
  console.log(values.map((value, index) => String(value).padStart(widths[index] ?? 15)).join(" "));
}

/** A grid of nodes, each reached from the previous one and some from an earlier one. */
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

/** Milliseconds from requesting the page until its cards are painted. */
async function open(page: Page, { url }: RunningServer, id: string): Promise<number> {
  const start = performance.now();
  await page.goto(`${url}/flows/${id}`, { waitUntil: "commit" });
  await page.locator(".react-flow__node").nth(20).waitFor({ state: "attached" });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))));
  return Math.round(performance.now() - start);
}

/** Sends input at human pace, whether or not the page keeps up. */
async function atHumanPace(send: (step: number) => Promise<void>): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let step = 0; step < eventsSent; step += 1) {
    sent.push(send(step));
    await new Promise((resolve) => setTimeout(resolve, eventMs));
  }
  await Promise.all(sent);
}

async function wheel(page: Page): Promise<void> {
  await page.mouse.move(800, 450);
  await atHumanPace((step) => page.mouse.wheel(step % 60 < 30 ? 12 : -12, step % 40 < 20 ? 6 : -6));
}

/** Each step is larger than the cards' grid, so every one moves the card. */
async function dragNode(page: Page, id: string): Promise<void> {
  const box = await page.locator(`.react-flow__node[data-id="${id}"]`).boundingBox();
  if (box === null) throw new Error(`${id} is not in view`);
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(20, box.height / 2)];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await atHumanPace((step) =>
    page.mouse.move(x + (step % 80 < 40 ? step % 40 : 40 - (step % 40)) * 11, y + (step % 20)),
  );
  await page.mouse.up();
}

async function type(page: Page, id: string): Promise<void> {
  await page.locator(`.react-flow__node[data-id="${id}"]`).click({ position: { x: 60, y: 20 } });
  await page.getByRole("textbox", { name: "Transform", exact: true }).click();
  for (const letter of typed) {
    await page.keyboard.press(letter);
    await new Promise((resolve) => setTimeout(resolve, keyMs));
  }
}

async function fitView(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show the whole flow" }).click();
  await page.locator('.react-flow__node[data-id="n12"]').waitFor();
}

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  readonly args: {
    readonly data?: { readonly type?: string; readonly timeStamp?: number; readonly processingEnd?: number };
  };
}

async function traced(browser: Browser, page: Page, act: () => Promise<void>): Promise<readonly TraceEvent[]> {
  const categories = ["cc,benchmark,devtools.timeline,disabled-by-default-devtools.timeline.frame"];
  await browser.startTracing(page, { categories });
  await act();
  return JSON.parse((await browser.stopTracing()).toString()).traceEvents;
}

/** Milliseconds from each key press until the page has handled it, from the browser's Event Timing. */
async function keysDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  const events = await traced(browser, page, act);
  return events.flatMap(({ name, args: { data } }) =>
    name === "EventTiming" && data?.type === "keypress" && data.processingEnd !== undefined
      ? [data.processingEnd - (data.timeStamp ?? 0)]
      : [],
  );
}

/** Milliseconds between the frames drawn in the meantime, from the browser's trace. */
async function framesDuring(browser: Browser, page: Page, act: () => Promise<void>): Promise<number[]> {
  const events = await traced(browser, page, act);
  const times = events
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
