// The image's contents: packed from the build, moved elsewhere, and run from there without access to the checkout.
import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Driver } from "#e2e/support/conformance/driver.ts";
import { transform } from "#e2e/support/flows.ts";
import { hidingCheckout } from "#e2e/support/moved-function.ts";
import { Browser } from "#e2e/support/people.ts";
import { databaseUrlOf } from "#e2e/support/second-workspace.ts";
import { type RunningServer, startServer } from "#e2e/support/server.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { createTestDatabase, type TestDatabase } from "#e2e/support/test-database.ts";
import { projectDirectory } from "../../scripts/places.mjs";

const packMsMax = 240_000;
const run = promisify(execFile);
const directory = temporaryDirectory();
const moved = join(directory, "moved/app");

let database: TestDatabase;
let env: Record<string, string>;
let server: RunningServer | undefined;

beforeAll(async () => {
  const packed = join(directory, "packed");
  await run(process.execPath, [join(projectDirectory, "scripts/runtime-files.mjs"), packed]);
  mkdirSync(dirname(moved), { recursive: true });
  renameSync(packed, moved);
  database = await createTestDatabase({ server: databaseUrlOf(inject("server").dataDir ?? ""), empty: true });
  env = {
    DATABASE_URL: database.url,
    AUTH_SECRET: "a".repeat(32),
    ENCRYPTION_KEY: "e".repeat(32),
    PUBLIC_URL: "https://flows.example.com",
    BACKUP_PASSPHRASE: "a passphrase of the test",
    // Nothing of it is TypeScript when it runs.
    NODE_OPTIONS: `--no-strip-types ${hidingCheckout}`,
  };
}, packMsMax);

afterAll(async () => {
  await server?.stop();
  await database?.drop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a script of the pack like `npm run`. */
async function runScript(name: string, ...args: string[]): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(moved, "package.json"), "utf8"));
  const [program = "", ...given] = String(scripts[name]).split(" ");
  expect(program).toBe("node");
  const { PATH, HOME } = process.env;
  const own = { PATH, HOME, NODE_ENV: "production" as const, ...env };
  const { stdout } = await run(process.execPath, [...given, ...args], { cwd: moved, env: own });
  return stdout;
}

test("nothing in the pack links to a place outside it, or to nothing", () => {
  const links = readdirSync(moved, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map(({ parentPath, name }) => join(parentPath, name));
  expect(links.length).toBeGreaterThan(0); // Those that the build makes for packages that stay outside the bundle.
  for (const link of links) {
    const target = relative(moved, resolve(dirname(link), readlinkSync(link)));
    expect([link, target.startsWith(".."), existsSync(link)]).toEqual([link, false, true]);
  }
});

test("it migrates the database by its own command", async () => {
  expect(await runScript("migrate")).toMatch(/Applying \d+ migrations…\nThe database is up to date\n$/);
});

test("a server started from it serves pages, calls flows and signs people in", async () => {
  server = await startServer({ env, project: moved });
  const driver = new Driver(server, "inline");
  const result = await driver.run({ nodes: [transform("sum", "$trigger.body.n + 1")] }, { n: 41 });
  expect(result).toMatchObject({ status: "completed", output: 42 });
  const browser = new Browser(server.url);
  expect(await browser.signIn(server.email, server.password)).toBeNull();
  const page = await fetch(`${server.url}/sign-in`);
  const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(await page.text())?.[1];
  expect((await fetch(`${server.url}${script}`)).status).toBe(200);
});

test("every script that the docs name for a running service works in it", async () => {
  const link = await runScript("reset-password", server?.email ?? "");
  expect(link).toMatch(/^https:\/\/flows\.example\.com\/reset-password\/[\w-]{43}\n/);
  expect(await runScript("rebuild-statistics")).toMatch(/^Compared the statistics of 1 workspace: \d+ corrections?\n$/);
  const file = join(directory, "image.backup");
  expect(await runScript("backup", file)).toMatch(/^Backed up \d+ rows of \d+ tables into /);
  const other = await createTestDatabase({ server: databaseUrlOf(inject("server").dataDir ?? ""), empty: true });
  env.DATABASE_URL = other.url;
  expect(await runScript("restore", file)).toMatch(/\nRestored\n$/);
  env.DATABASE_URL = database.url;
  await other.drop();
  const documents = globSync(["README.md", "docs/*.md"], { cwd: projectDirectory });
  const texts = documents.map((file) => readFileSync(join(projectDirectory, file), "utf8")).join("\n");
  const named = new Set([...texts.matchAll(/npm run ([\w-]+)/g)].map(([, name = ""]) => name));
  const { scripts } = JSON.parse(readFileSync(join(projectDirectory, "package.json"), "utf8"));
  const inService = [...named].filter((name) => String(scripts[name]).includes("--run scripts/"));
  expect(inService.sort()).toEqual(["backup", "migrate", "rebuild-statistics", "reset-password", "restore"]);
});
