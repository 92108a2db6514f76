// The hooks that the bundle registers with the server (scripts/server/web-server.ts), registered here before it so that
// they cannot be changed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";

const hooks = `
  function handle(request, response) {
    if (request.url === "/taken") response.end("taken");
    else if (request.url === "/broken") throw new Error("broken");
    else if (request.url === "/slow") setTimeout(() => response.end("slow"), 1500);
    else if (request.url === "/endless") response.write("first");
    else return false;
    return true;
  }
  async function drain() {
    await new Promise((done) => setTimeout(done, 1000));
    console.log("Drained");
  }
  const hooks = Object.defineProperties({}, {
    handle: { get: () => handle, set() {} },
    drain: { get: () => drain, set() {} },
  });
  Object.defineProperty(globalThis, Symbol.for("millrace.server"), { get: () => hooks, set() {} });
`;

function startWithHooks() {
  const file = join(temporaryDirectory(), "hooks.mjs");
  writeFileSync(file, hooks);
  return startServer({ env: { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` } });
}

test("a request may be handled before Next sees it", async () => {
  const server = await startWithHooks();
  expect(await (await fetch(`${server.url}/taken`)).text()).toBe("taken");
  expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
  expect((await fetch(`${server.url}/broken`)).status).toBe(500);
  expect(await server.stop()).toBe(0);
});

test("a stop waits for work in progress and answers being written, but not for endless ones", async () => {
  const server = await startWithHooks();
  const slow = fetch(`${server.url}/slow`).then((response) => response.text());
  const endless = await fetch(`${server.url}/endless`);
  const stopped = server.stop();
  expect(await slow).toBe("slow");
  expect(await stopped).toBe(0);
  expect(server.logs()).toContain("Drained");
  await expect(endless.text()).rejects.toThrow();
});

test("a second signal ends the server at once", async () => {
  const server = await startWithHooks();
  process.kill(server.pid, "SIGTERM");
  await new Promise((done) => setTimeout(done, 700));
  expect(await server.stop()).toBe(143);
  expect(server.logs()).not.toContain("Drained");
});
