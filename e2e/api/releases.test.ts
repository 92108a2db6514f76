// Two releases on one machine, as docs/deploying.md has them: the second is put in the place of the first while requests
// come in and a page of the first is open. What systemd would do, a few lines of Perl do here.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { Agent, get as httpGet } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { databaseUrlOf } from "#e2e/support/second-workspace.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { projectDirectory } from "../../scripts/places.mjs";
import { passedSocket } from "../../scripts/server/port.ts";

const run = promisify(execFile);
const root = temporaryDirectory();
const releases = ["1.0.0", "1.1.0", "1.2.0"].map((name) => join(root, "releases", name));
const [first = "", second = "", third = ""] = releases;
const apiKey = "a-key-of-the-releases-test-of-32-characters";
const old = "chunks/only-in-the-first.js";
const script = "console.log('first')";

function hasPerl(): boolean {
  try {
    execFileSync("perl", ["-MIO::Socket::INET", "-e", "1"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

let database: TestDatabase;
let holder: ChildProcess | undefined;
let url: string;
let printed = "";

/** Over a connection of its own, as proxies make them. */
function request(path: string, { encoding = "br" } = {}) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${apiKey}`, "accept-encoding": encoding };
    const request = httpGet(`${url}${path}`, { agent: new Agent(), headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk)).on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    request.on("error", reject);
  });
}

const switchTo = (release: string, path = "") => {
  const env = { ...process.env, PATH: `${path}${process.env.PATH}` };
  return run("sh", [join(release, "deploy/switch.sh"), release, root], { env });
};

const starts = () => printed.split("Millrace is ready").length - 1;

test("a socket is taken if it is the only one, and was passed to this process", () => {
  const given = (count: string, pid: number | string) => ({
    LISTEN_FDS: count,
    LISTEN_PID: `${pid}`,
    LISTEN_FDNAMES: "a",
  });
  const own = given("1", process.pid);
  expect(passedSocket(own)).toBe(3);
  // Child processes must not take it for theirs.
  expect(own).toEqual({});
  expect(passedSocket({})).toBeUndefined();
  for (const pid of ["", "1.5", "x", 1]) expect(passedSocket(given("1", pid))).toBeUndefined();
  for (const count of ["2", "0", "", "x"])
    expect(() => passedSocket(given(count, process.pid))).toThrow(
      `LISTEN_FDS is ${count}: Millrace listens on one socket`,
    );
});

describe.skipIf(!hasPerl())("a release that is switched to (needs perl)", () => {
  beforeAll(async () => {
    await run(process.execPath, [join(projectDirectory, "scripts/runtime-files.mjs"), first]);
    cpSync(join(projectDirectory, "deploy"), join(first, "deploy"), { recursive: true });
    // Hard links: a copy of every file would take longer than all the rest.
    for (const later of [second, third]) await run("cp", ["-al", first, later]);
    writeFileSync(join(first, ".next/static", old), script);
    writeFileSync(join(first, ".next/static", `${old}.br`), brotliCompressSync(script));
    database = await createTestDatabase({ server: databaseUrlOf(inject("server").dataDir ?? ""), empty: true });
  }, 240_000);

  afterAll(async () => {
    if (holder?.exitCode === null) {
      const ended = once(holder, "exit");
      holder.kill("SIGTERM");
      await ended;
    }
    await database?.drop();
    rmSync(root, { recursive: true, force: true });
  });

  test("must be built", async () => {
    const unbuilt = join(root, "releases/unbuilt");
    mkdirSync(join(unbuilt, "deploy"), { recursive: true });
    cpSync(join(first, "deploy/switch.sh"), join(unbuilt, "deploy/switch.sh"));
    await expect(switchTo(unbuilt)).rejects.toMatchObject({ stderr: expect.stringContaining("is not built: run") });
    const stamp = join(third, ".next/sources-hash");
    const built = readFileSync(stamp);
    writeFileSync(stamp, "of other sources");
    await expect(switchTo(third)).rejects.toMatchObject({
      stderr: expect.stringContaining("is not built as it stands"),
    });
    writeFileSync(stamp, built);
    expect(existsSync(join(root, "current"))).toBe(false);
  });

  test("follows one that is gone or broken", async () => {
    for (const former of [join(root, "releases/gone"), join(root, "releases/unbuilt")]) {
      symlinkSync(former, join(root, "current"));
      await switchTo(first);
      expect(readlinkSync(join(root, "current"))).toBe(first);
      rmSync(join(root, "current"));
    }
  });

  test("is not mixed up with another that is switched to meanwhile", async () => {
    const programs = join(root, "programs");
    mkdirSync(programs);
    const mv = execFileSync("sh", ["-c", "command -v mv"], { encoding: "utf8" }).trim();
    // Another switch comes between making the link and renaming it.
    const other = `sh "${third}/deploy/switch.sh" "${third}" "${root}"`;
    writeFileSync(join(programs, "mv"), `#!/bin/sh\nPATH="\${PATH#*:}" ${other} && exec ${mv} "$@"\n`, { mode: 0o755 });
    await switchTo(second, `${programs}:`);
    expect(readlinkSync(join(root, "current"))).toBe(second);
    expect(readdirSync(root).filter((name) => name.startsWith("current"))).toEqual(["current"]);
    rmSync(join(root, "current"));
  });

  test("fails no request, and serves the scripts of pages that are open", async () => {
    await switchTo(first);
    const command = [join(root, "current"), process.execPath, "scripts/start.mjs"];
    holder = spawn("perl", [join(projectDirectory, "e2e/support/socket-holder.pl"), ...command], {
      env: {
        ...process.env,
        ...{ DATABASE_URL: database.url, DATA_DIR: join(root, "data"), PUBLIC_URL: "http://localhost" },
        ...{ AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32), RATE_LIMIT: "off" },
        ...{ BOOTSTRAP_EMAIL: "a@example.com", BOOTSTRAP_PASSWORD: "a long password", BOOTSTRAP_API_KEY: apiKey },
      },
    });
    holder.stdout?.on("data", (chunk) => (printed += chunk));
    holder.stderr?.on("data", (chunk) => (printed += chunk));
    await expect.poll(() => printed).toMatch(/PORT \d+/);
    url = `http://127.0.0.1:${/PORT (\d+)/.exec(printed)?.[1]}`;
    await expect.poll(starts, { timeout: 60_000 }).toBe(1);
    expect((await request(`/_next/static/${old}`, { encoding: "identity" })).text).toBe(script);

    let isOver = false;
    const failures: unknown[] = [];
    let count = 0;
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      while (!isOver) {
        const { status, text } = await request(caller % 2 === 0 ? "/api/v1/flows" : "/sign-in").catch((error) => ({
          status: error.message,
          text: "",
        }));
        if (status !== 200) failures.push([status, text]);
        count += 1;
      }
    });
    await switchTo(second);
    holder.kill("SIGHUP");
    await expect.poll(starts, { timeout: 60_000 }).toBe(2);
    const before = count;
    await expect.poll(() => count).toBeGreaterThan(before + 50);
    isOver = true;
    await Promise.all(callers);
    expect(failures).toEqual([]);
    for (const encoding of ["br", "identity"])
      expect(await request(`/_next/static/${old}`, { encoding })).toMatchObject({ status: 200 });
    expect((await request("/_next/static/chunks/never.js")).status).toBe(404);
  });

  test("keeps them for a day, not forever", async () => {
    const list = join(second, ".next/kept-chunks.json");
    const listed = JSON.parse(readFileSync(list, "utf8"));
    expect(Object.keys(listed).sort()).toEqual([old, `${old}.br`]);
    const keep = async (replacedAt: number) => {
      writeFileSync(list, JSON.stringify({ [old]: replacedAt, [`${old}.br`]: replacedAt }));
      await run(process.execPath, [join(third, "deploy/keep-chunks.mjs"), second]);
      return Object.keys(JSON.parse(readFileSync(join(third, ".next/kept-chunks.json"), "utf8")));
    };
    expect(await keep(Date.now() - 25 * 3_600_000)).toEqual([]);
    expect(await keep(Date.now() - 23 * 3_600_000)).toHaveLength(2);
    // Run again since, and replaced again: from then on.
    await run(process.execPath, [join(second, "deploy/keep-chunks.mjs"), first]);
    await run(process.execPath, [join(third, "deploy/keep-chunks.mjs"), second]);
    const times = Object.values(JSON.parse(readFileSync(join(third, ".next/kept-chunks.json"), "utf8")));
    expect(Math.min(...(times as number[]))).toBeGreaterThan(Date.now() - 3_600_000);
  });
});
