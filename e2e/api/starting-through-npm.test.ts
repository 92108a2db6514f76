import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { databaseStopped, freePort, startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";

async function npmStart(dataDir: string): Promise<{ npm: ChildProcess; url: string; ended: Promise<unknown[]> }> {
  const port = `${await freePort()}`;
  const { PATH, HOME, TMPDIR } = process.env;
  const npm = spawn("npm", ["start"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH, HOME, TMPDIR, NODE_ENV: "production", PORT: port, DATA_DIR: dataDir },
  });
  const ended = once(npm, "exit");
  let printed = "";
  npm.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await expect.poll(() => printed, { timeout: 60_000 }).toContain("Millrace is ready");
  return { npm, url: `http://localhost:${port}`, ended };
}

test("SIGTERM to npm alone stops the server, and npm waits for it", async () => {
  const dataDir = temporaryDirectory();
  const { npm, url, ended } = await npmStart(dataDir);
  npm.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await expect(fetch(url)).rejects.toThrow();
  expect(await databaseStopped(dataDir)).toBe(true);
});

test("a killed npm takes the server with it, and the next start need not wait", async () => {
  const dataDir = temporaryDirectory();
  const { npm, ended } = await npmStart(dataDir);
  npm.kill("SIGKILL");
  await ended;
  const next = await startServer({ dataDir });
  expect(await next.stop()).toBe(0);
});
