// The JavaScript of each page's first visit, and how long a page takes to show its data, in Chromium, with a million
// runs stored. BENCH_STORED sets another number; BENCH_CASES chooses the pages whose names contain it. With BENCH_BASE,
// another built checkout of the project, each page is measured there first.
import type { Browser, Page } from "@playwright/test";
import type { RunningServer } from "../e2e/support/server.ts";
import { openBrowser, signIn } from "./browser.ts";
import { filledDatabase } from "./data/filled-database.ts";
import { onPostgres } from "./data/on-postgres.ts";
import { callApi, checkouts, startMillrace } from "./millrace.ts";

const size = () => Number(process.env.BENCH_STORED ?? 1_000_000);
const turns = 5;
const kilobyte = 1_000;

interface Place {
  readonly name: string;
  readonly path: string;
  /** Visible as soon as the page has its data. */
  readonly shown: string;
}

export async function pagesBenchmark(): Promise<void> {
  await onPostgres(async (serverUrl) => {
    const databaseUrl = await filledDatabase(serverUrl, size());
    const started: { readonly name: string; readonly server: RunningServer; readonly page: Page }[] = [];
    const browser = await openBrowser();
    try {
      for (const checkout of checkouts()) {
        const server = await startMillrace(databaseUrl, {}, checkout);
        const name = checkout.project === undefined ? "" : ", before";
        started.push({ name, server, page: await signIn(browser, server) });
      }
      const rows: Record<string, unknown> = {};
      for (const place of await placesOf(started[0]?.server)) {
        if (!place.name.includes(process.env.BENCH_CASES ?? "")) continue;
        for (const { name, server, page } of started) {
          rows[place.name + name] = await measure(browser, page, server, place);
        }
      }
      console.log(
        `\n${size()} runs stored; scripts as they are sent, compressed: those that the page names, and those fetched later; times from asking until it is shown`,
      );
      console.table(rows);
    } finally {
      await browser.close();
      for (const { server } of started) await server.stop();
    }
  });
}

const row = "main tbody tr td a";

async function placesOf(server: RunningServer | undefined): Promise<Place[]> {
  if (server === undefined) return [];
  const [run] = await callApi<{ id: string }[]>(server, "GET", "/executions?limit=1&status=failed");
  const list = (name: string, path: string, shown = row) => ({ name, path, shown });
  return [
    list("overview", "/", "main [aria-label=Figures]"),
    list("overview of 30 days", "/?period=30d", "main [aria-label=Figures]"),
    list("flows", "/flows"),
    list("runs", "/runs"),
    list("runs that failed", "/runs?status=failed,timeout&sort=duration-desc"),
    list("runs, last page", `/runs?page=${Math.ceil(size() / 20)}`),
    list("runs by text", "/runs?search=order-99"),
    list("a run", `/runs/${run?.id}`, "[data-first-picture], .react-flow__node"),
    list("a run, its canvas", `/runs/${run?.id}`, ".react-flow__node"),
    list("two runs", `/runs/${run?.id}/compare`, "main tbody tr"),
    list("alerts", "/alerts", "main h2"),
    list("webhooks", "/webhooks", "main h2"),
    list("credentials", "/credentials", "main h2"),
    list("API keys", "/settings/api-keys", "main tbody tr strong"),
    list("members", "/settings/members", "main tbody tr strong"),
    list("account", "/settings/account", "main h2"),
    list("workspace", "/settings/workspace", "main h2"),
    list("audit log", "/settings/audit-log", "main tbody tr strong"),
  ];
}

/** The first visit with an empty cache, then further ones. */
async function measure(browser: Browser, signedIn: Page, { url }: RunningServer, { path, shown }: Place) {
  const context = await browser.newContext({ storageState: await signedIn.context().storageState() });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  const scripts = await countScripts(page);
  const visit = async () => {
    const startedAt = performance.now();
    await page.goto(`${url}${path}`, { waitUntil: "commit" });
    await page.locator(shown).first().waitFor();
    return Math.round(performance.now() - startedAt);
  };
  const first = await visit();
  await page.waitForLoadState("networkidle");
  const [named, fetched] = [scripts.named(), scripts.fetched()];
  const later: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) later.push(await visit());
  later.sort((a, b) => a - b);
  await context.close();
  return {
    "script kB": Number((named / kilobyte).toFixed(1)),
    "later kB": Number((fetched / kilobyte).toFixed(1)),
    "first ms": first,
    "then p50 ms": later[Math.floor(turns / 2)],
    "then worst ms": later.at(-1),
  };
}

/** Bytes of scripts without headers: those that the page names, and those loaded afterwards. */
async function countScripts(page: Page): Promise<{ named(): number; fetched(): number }> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Network.enable");
  const byPage = new Map<string, boolean>();
  const bytes = { named: 0, fetched: 0 };
  protocol.on("Network.requestWillBeSent", ({ requestId, type, initiator }) => {
    if (type === "Script") byPage.set(requestId, initiator.type === "parser");
  });
  protocol.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const isNamed = byPage.get(requestId);
    if (isNamed !== undefined) bytes[isNamed ? "named" : "fetched"] += encodedDataLength;
  });
  return { named: () => bytes.named, fetched: () => bytes.fetched };
}
