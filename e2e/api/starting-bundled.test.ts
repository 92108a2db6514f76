// What runs outside Next in production is bundled, and bundled anew when its sources change.
import { execFile } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { sandboxChildren, serverPid } from "#e2e/support/server-process.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { projectDirectory } from "../../scripts/places.mjs";

const run = promisify(execFile);
const copy = join(temporaryDirectory(), "copy");
const command = join(copy, "dist/programs/scripts/migrate.mjs");
const thread = join(copy, "dist/programs/lib/formats/thread.mjs");

beforeAll(() => {
  mkdirSync(copy);
  for (const name of ["lib", "prisma", "scripts", "package.json", "package-lock.json", "tsconfig.json"]) {
    cpSync(join(projectDirectory, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(projectDirectory, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What a start of the copy says: it cannot migrate, because there is no such database. */
async function start(): Promise<string> {
  const env = { ...process.env, NODE_ENV: "production" as const, DATABASE_URL: "postgres://127.0.0.1:9/none" };
  const program = join(copy, "scripts/start.mjs");
  const ended = await run(process.execPath, [program, "--run", "scripts/migrate.ts"], { cwd: copy, env }).catch(
    (error: { stderr: string; stdout: string }) => error,
  );
  return `${ended.stdout}${ended.stderr}`;
}

test("a command is bundled when it is first started, and again when a source of any program has changed", async () => {
  expect(existsSync(command)).toBe(false);
  const first = await start();
  expect(first).not.toContain("ERR_MODULE");
  expect(existsSync(command) && existsSync(thread)).toBe(true);
  // Marked, to see which one is there later.
  appendFileSync(command, "\n// marked\n");
  expect(await start()).toBe(first);
  expect(readFileSync(command, "utf8")).toContain("// marked");
  appendFileSync(join(copy, "lib/formats/thread.ts"), "\n// changed\n");
  expect(await start()).toBe(first);
  expect(readFileSync(command, "utf8")).not.toContain("// marked");
});

test("bundles whose stamp was not written to its end are made again", async () => {
  const output = await start();
  writeFileSync(join(copy, "dist/programs/sources.json"), '{"lib/for');
  appendFileSync(command, "\n// marked\n");
  expect(await start()).toBe(output);
  expect(readFileSync(command, "utf8")).not.toContain("// marked");
});

test("a start that cannot bundle runs the source", async () => {
  const output = await start();
  writeFileSync(join(copy, "scripts/build/programs.mjs"), "process.exit(1);\n");
  expect(await start()).toBe(output);
});

test("two starts at once both find a whole bundle", async () => {
  cpSync(join(projectDirectory, "scripts"), join(copy, "scripts"), { recursive: true });
  rmSync(join(copy, "dist"), { recursive: true });
  const output = await Promise.all([start(), start(), start()]);
  expect(new Set(output).size).toBe(1);
  expect(output[0]).not.toContain("ERR_MODULE");
});

test.skipIf(inject("server").dataDir === undefined)("the server and its sandbox run no TypeScript", async () => {
  const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ");
  await expect.poll(sandboxChildren).not.toEqual([]);
  for (const pid of sandboxChildren()) expect(commandOf(pid)).toContain("dist/programs/lib/sandbox/child/main.mjs");
  // The compiler of Next's settings would be among the files that it has mapped.
  expect(readFileSync(`/proc/${serverPid()}/maps`, "utf8")).not.toContain("swc");
});
