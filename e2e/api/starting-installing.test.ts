// A start that has to install first: with an npm that never ends, in a folder that it may not write to, in an old Node.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "acorn";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "#e2e/support/eventually.ts";
import { temporaryDirectory } from "#e2e/support/temporary-directory.ts";
import { projectDirectory } from "../../scripts/places.mjs";

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
  for (const name of ["scripts", "package.json", "package-lock.json"]) {
    cpSync(join(projectDirectory, name), join(directory, name), { recursive: true });
  }
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function start(
  npm: string,
  ...options: string[]
): { child: ChildProcess; printed(): string; ended: Promise<unknown[]> } {
  const env = { PATH: process.env.PATH, NODE_ENV: "production" as const, npm_execpath: npm };
  const child = spawn(process.execPath, [...options, "scripts/start.mjs"], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  return { child, printed: () => printed, ended: once(child, "close") };
}

test("SIGTERM while installing ends npm too", async () => {
  const [npm, note] = [join(directory, "npm-cli.js"), join(directory, "npm.pid")];
  const write = `writeFileSync(${JSON.stringify(note)}, process.pid + " ")`;
  writeFileSync(npm, `import { writeFileSync } from "node:fs"; ${write}; setInterval(() => {}, 1000);`);
  const { child, ended } = start(npm);
  const pid = await eventually("npm runs", () => {
    const text = existsSync(note) ? readFileSync(note, "utf8") : "";
    return text.endsWith(" ") ? Number(text) : undefined;
  });
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(143);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a read-only folder is reported in one line", async () => {
  writeFileSync(join(directory, ".next"), "in the way");
  const { ended, printed } = start(join(directory, "npm-cli.js"));
  expect((await ended)[0]).toBe(1);
  expect(printed()).toMatch(
    /^\S+\.next\/cache\/locks\/install cannot be written \(\w+\): start Millrace as the account .*\n$/,
  );
});

test("a Node that is too old says which version is needed, and installs nothing", async () => {
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })";
  const { ended, printed } = start(
    join(directory, "npm-cli.js"),
    "--import",
    `data:text/javascript,${encodeURIComponent(old)}`,
  );
  expect((await ended)[0]).toBe(1);
  expect(printed()).toBe("Millrace needs Node 20 or newer to start, but this is 18.20.8.\n");
  expect(existsSync(join(directory, ".next"))).toBe(false);
});

test("what such a Node reads first is written in its JavaScript", () => {
  const read = new Set<string>();
  const follow = (name: string) => {
    if (read.has(name)) return;
    read.add(name);
    const text = readFileSync(join(projectDirectory, "scripts", name), "utf8");
    // What Node 18 knows, and nothing later.
    parse(text, { ecmaVersion: 2022, sourceType: "module" });
    expect(text).not.toMatch(/import\.meta\.(dirname|filename)|\b(globSync|toSorted|toReversed|withResolvers)\b/);
    for (const [, next = ""] of text.matchAll(/^import .* from "\.\/([\w-]+\.mjs)";$/gm)) follow(next);
  };
  follow("start.mjs");
  const ours = ["built-programs", "current-node", "install", "lock", "places", "start"];
  expect([...read].sort()).toEqual(ours.map((name) => `${name}.mjs`));
});
