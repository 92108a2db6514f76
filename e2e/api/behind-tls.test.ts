// A server behind a proxy that terminates TLS: its answers to browsers, and which address it takes callers to have.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../support/server.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { PUBLIC_URL: "https://flows.example.com", TRUSTED_PROXIES: "1" } });
});
afterAll(() => server?.stop());

test("cookies are for TLS and this host alone, and HSTS keeps browsers on TLS", async () => {
  const page = await fetch(`${server.url}/sign-in`);
  expect(page.headers.get("strict-transport-security")).toMatch(/^max-age=31536000; includeSubDomains$/);
  const csrf = await fetch(`${server.url}/api/auth/csrf`);
  const cookies = csrf.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");
  const { csrfToken } = await csrf.json();
  const answer = await fetch(`${server.url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { cookie: cookies.join("; "), "x-forwarded-for": "198.51.100.7, 203.0.113.9" },
    body: new URLSearchParams({ csrfToken, email: server.email, password: server.password, json: "true" }),
    redirect: "manual",
  });
  const session = answer.headers.getSetCookie().find((cookie) => cookie.includes("session-token")) ?? "";
  expect(session).toMatch(/^__Host-next-auth\.session-token=/);
  expect(session).toMatch(/; Secure/i);
  expect(session).toMatch(/; HttpOnly/i);
  expect(session).not.toMatch(/; Domain=/i);
  const own = { cookie: session.split(";")[0] ?? "" };
  const list = await (await fetch(`${server.url}/api/v1/account/sessions`, { headers: own })).json();
  // The proxy's own entry is trusted, the one before it is not.
  expect(list.data).toMatchObject([{ current: true, ip: "203.0.113.9" }]);
});

test("without mail, an operator gets a link for a forgotten password", async () => {
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    NODE_ENV: "production" as const,
    DATA_DIR: server.dataDir,
    PUBLIC_URL: "https://flows.example.com",
  };
  const run = (email: string) =>
    promisify(execFile)(process.execPath, ["scripts/start.mjs", "--run", "scripts/reset-password.ts", email], { env });
  const { stdout } = await run(server.email);
  expect(stdout).toMatch(/^https:\/\/flows\.example\.com\/reset-password\/[\w-]{43}\n/);
  const page = await fetch(stdout.split("\n")[0]?.replace("https://flows.example.com", server.url) ?? "");
  expect(await page.text()).toContain("Set a new password");
  await expect(run("nobody@example.com")).rejects.toThrow(/No account has the address/);
});
