// `npm run screenshots`: takes the README's screenshots on a separate server and workspace, so that anyone can recreate
// them.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { orderIntake, ratesService } from "#e2e/browser/rates-service.ts";
import { systemTestChromium } from "#e2e/support/chromium.ts";
import { startServer } from "#e2e/support/server.ts";
import { projectDirectory } from "./places.mjs";
import { installChromium } from "./testing/install-chromium.ts";
import { runProgram } from "./testing/test-programs.ts";

const pictures = join(projectDirectory, "docs/images");
const viewport = { width: 1440, height: 900 };
const orders = 24;

if (!(await installChromium()) || !(await runProgram("scripts/build.mjs", ["--if-stale"]))) process.exit(1);
mkdirSync(pictures, { recursive: true });
const rates = await ratesService();
const server = await startServer();
const executablePath = systemTestChromium();
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
try {
  const { flowId, runId } = await seed();
  const context = await browser.newContext({ baseURL: server.url, viewport, deviceScaleFactor: 2 });
  await signIn(context);
  await picture(context, "light", `/flows/${flowId}`, "editor", async (page) => {
    await page.getByRole("button", { name: "Run" }).first().waitFor();
    await page.locator(".react-flow__node").nth(4).waitFor();
  });
  await picture(context, "dark", `/runs/${runId}`, "run", (page) => page.locator(".react-flow__node").nth(4).waitFor());
} finally {
  await browser.close();
  await server.stop();
  rates.close();
}

/** The example flow with some runs, most of which complete. */
async function seed(): Promise<{ flowId: string; runId: string }> {
  const example = JSON.parse(readFileSync(join(projectDirectory, "examples/order-intake.json"), "utf8"));
  const flow = await call("POST", "/flows", {
    ...example,
    status: "active",
    variables: { ...example.variables, ratesUrl: rates.url },
  });
  let runId = "";
  for (let index = 0; index < orders; index += 1) {
    const items = index % 8 === 5 ? [] : [{ price: 10 + index, quantity: 1 + (index % 3) }];
    const data = { ...orderIntake.order, id: `o-${index + 1}`, items };
    const run = await call("POST", `/flows/${flow.id}/execute`, { data, async: false });
    if (items.length > 0) runId = String(run.executionId);
  }
  return { flowId: String(flow.id), runId };
}

async function call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${server.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(server.email);
  await page.getByLabel("Password", { exact: true }).fill(server.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await page.close();
}

async function picture(
  context: BrowserContext,
  colorScheme: "light" | "dark",
  path: string,
  name: string,
  isDrawn: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.goto(path);
  await isDrawn(page);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) });
  console.log(`docs/images/${name}-${colorScheme}.png`);
  await page.close();
}
