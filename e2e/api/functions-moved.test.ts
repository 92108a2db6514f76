// What a serverless host gets: each route's function, packed from the build's traces, moved, and run without the checkout.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { createFlow, node } from "#e2e/support/flows.ts";
import { type MovedFunction, moveFunction, startFunction } from "#e2e/support/moved-function.ts";
import { databaseUrlOf } from "#e2e/support/second-workspace.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";

const directory = temporaryDirectory();
const running: MovedFunction[] = [];
afterAll(() => {
  for (const server of running) server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** The function of a route beside the shared server: in its database, with its secrets, and with nothing that runs Inngest. */
async function started(file: string, route: string): Promise<MovedFunction> {
  const folder = join(directory, route);
  moveFunction(file, folder);
  const dataDir = inject("server").dataDir ?? "";
  const secret = (name: string) => readFileSync(join(dataDir, name), "utf8").trim();
  const made = await startFunction(folder, route, {
    DATABASE_URL: databaseUrlOf(dataDir),
    AUTH_SECRET: secret("auth-secret"),
    ENCRYPTION_KEY: secret("encryption-key"),
    INNGEST_DEV: "http://127.0.0.1:65535",
  });
  running.push(made);
  return made;
}

test("the health check's finds the database", async () => {
  const { url, logs } = await started("app/api/health/route", "/api/health");
  const answer = await fetch(`${url}/api/health`);
  expect([answer.status, await answer.json()], logs()).toMatchObject([200, { status: "ok" }]);
});

test("a trigger URL's runs the flow, with its code in a sandbox of its own", async () => {
  const flow = await createFlow({ nodes: [node("code", "code", { code: "return $trigger.body.n * 2" })] });
  const { url, logs } = await started("app/api/v1/webhooks/[id]/route", "/api/v1/webhooks/[id]");
  const call = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ n: 21 }) };
  const answer = await fetch(new URL(new URL(flow.trigger.config.url).pathname, url), call);
  expect([answer.status, await answer.text()], logs()).toEqual([200, "42"]);
});

test("a page's is served", async () => {
  const { url, logs } = await started("app/(auth)/sign-in/page", "/sign-in");
  const answer = await fetch(`${url}/sign-in`);
  expect(answer.status, logs()).toBe(200);
  expect(await answer.text()).toContain("Password");
});
