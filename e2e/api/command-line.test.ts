// The bundled command line as a program, against the running server.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import { apiKey, baseUrl } from "../support/address.ts";
import { get, patch, post } from "../support/api-client.ts";
import type { TestFlow } from "../support/flows.ts";
import { inOwnWorkspace } from "../support/own-workspace.ts";

inOwnWorkspace("Command line");
beforeAll(() => {
  execFileSync(process.execPath, ["scripts/cli/build.mjs"]);
});

const program = resolve("dist/cli/millrace.mjs");
const emptyFolder = () => mkdtempSync(join(tmpdir(), "millrace-cli-"));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const environment = (overrides: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  NODE_ENV: "test",
  PATH: process.env.PATH,
  HOME: emptyFolder(),
  MILLRACE_URL: baseUrl(),
  MILLRACE_API_KEY: apiKey(),
  ...overrides,
});

function start(folder: string, given: readonly string[], overrides: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [program, ...given], { cwd: folder, env: environment(overrides), stdio: "pipe" });
}

async function ended(child: ChildProcess): Promise<Ended> {
  child.stdin?.end();
  const [out, err] = [child.stdout, child.stderr].map((stream) => readAll(stream as NodeJS.ReadableStream));
  const [code] = await once(child, "close");
  return { code, out: (await out) ?? "", err: (await err) ?? "" };
}

const run = (folder: string, ...given: string[]) => ended(start(folder, given));

const nodes = (text: string) => [
  { id: "a", type: "transform", name: "a", position: { x: 0, y: 0 }, config: { transform: text } },
  { id: "b", type: "transform", name: "b", position: { x: 0, y: 0 }, config: { transform: "'b'" } },
];
const made = async (name: string, overrides: object = {}) => {
  const body = {
    name,
    trigger: { type: "webhook" },
    nodes: nodes("'a'"),
    edges: [{ source: "a", target: "b" }],
    ...overrides,
  };
  const { data, status } = await post<TestFlow>("/flows", body);
  expect(status).toBe(201);
  return data;
};
const read = async (id: string) => (await get<TestFlow>(`/flows/${id}`)).data;
const textOf = async (id: string) => (await read(id)).nodes.map(({ config }) => config.transform);
const fileOf = (folder: string, id: string) => {
  const all = JSON.parse(readFileSync(join(folder, ".millrace/flows.json"), "utf8")) as Record<string, object>;
  const [file] = Object.entries(all[baseUrl()] ?? {}).find(([, flow]) => flow === id) ?? [];
  return join(folder, String(file));
};
const change = (file: string, from: string, to: string) => {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
};

describe("millrace", () => {
  // Proves command-line.round-trip
  it("pulls, pushes what changed with its tests, and finds no difference then", async () => {
    const tests = [{ name: "One", trigger: { body: {} }, expect: { output: "b" } }];
    const flow = await made("Round trip", { tests });
    const folder = emptyFolder();
    expect(await run(folder, "pull")).toMatchObject({ code: 0 });
    expect((await run(folder, "status")).code).toBe(0);
    const file = fileOf(folder, flow.id);
    change(file, "'b'", "'B'");
    change(file, "output: b", "output: B");
    expect((await run(folder, "test")).code).toBe(0);
    expect(await run(folder, "push")).toMatchObject({ code: 0, out: expect.stringContaining("changed") });
    expect(await textOf(flow.id)).toEqual(["'a'", "'B'"]);
    const storedTests = await get<{ name: string; expect: object }[]>(`/flows/${flow.id}/tests`);
    expect(storedTests.data).toMatchObject([{ name: "One", expect: { output: "B" } }]);
    expect((await run(folder, "status")).code).toBe(0);
  });

  // Proves command-line.conflict
  it("merges what does not clash, and refuses what does", async () => {
    const flow = await made("Clash");
    const folder = emptyFolder();
    await run(folder, "pull");
    const file = fileOf(folder, flow.id);
    change(file, "'a'", "'mine'");
    const theirs = nodes("'a'").map((node) =>
      node.id === "b" ? { ...node, config: { transform: "'theirs'" } } : node,
    );
    await patch(`/flows/${flow.id}`, { nodes: theirs });
    expect((await run(folder, "push")).code).toBe(0);
    expect(await textOf(flow.id)).toEqual(["'mine'", "'theirs'"]);
    change(file, "'mine'", "'mine again'");
    await patch(`/flows/${flow.id}`, { nodes: nodes("'theirs too'") });
    const refused = await run(folder, "push");
    expect(refused).toMatchObject({
      code: 1,
      out: expect.stringMatching(/config\.transform.*pull, choose, push again/),
    });
    expect(await textOf(flow.id)).toEqual(["'theirs too'", "'b'"]);
  });

  // Proves command-line.all-or-nothing
  it("changes a flow and its tests together, or neither", async () => {
    const settings = { tests: { requiredToActivate: true } };
    const tests = [{ name: "One", trigger: { body: {} }, expect: { output: "b" } }];
    const flow = await made("Whole", { status: "active", settings, tests });
    const folder = emptyFolder();
    await run(folder, "pull");
    const file = fileOf(folder, flow.id);
    change(file, "'b'", "'B'");
    expect(await run(folder, "push")).toMatchObject({ code: 1, out: expect.stringContaining("output") });
    expect(await textOf(flow.id)).toEqual(["'a'", "'b'"]);
    change(file, "output: b", "output: B");
    expect((await run(folder, "push")).code).toBe(0);
    expect(await textOf(flow.id)).toEqual(["'a'", "'B'"]);
  });

  // Proves command-line.killed
  it("killed in the middle of a push, continues with the next one, and creates no flow twice", async () => {
    const folder = emptyFolder();
    const name = `Killed ${Date.now()}`;
    for (let count = 0; count < 12; count += 1) {
      const text = `version: 1.0.0\nname: ${name} ${count}\ntrigger:\n  type: manual\nnodes:\n  a:\n    type: log\n    config:\n      message: x\n`;
      writeFileSync(join(folder, `killed-${count}.flow.yaml`), text);
    }
    const child = start(folder, ["push"]);
    const closed = once(child, "close");
    // Each flow is told when it is made: some are, and others are not.
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.kill("SIGKILL");
    await closed;
    expect((await run(folder, "push")).code).toBe(0);
    const { data } = await get<{ name: string }[]>(`/flows?limit=100&search=${encodeURIComponent(name)}`);
    expect(new Set(data.map((flow) => flow.name)).size).toBe(12);
    expect(data).toHaveLength(12);
    expect((await run(folder, "push")).out).toContain("0 changed");
  });

  // Proves command-line.two-at-once
  it("two at once in one folder follow each other", async () => {
    const flow = await made("Twice");
    const folder = emptyFolder();
    await run(folder, "pull");
    change(fileOf(folder, flow.id), "'a'", "'mine'");
    const both = await Promise.all([run(folder, "push"), run(folder, "push")]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect((await read(flow.id)).version).toBe(2);
  });

  // Proves command-line.hostile-names
  it("writes flows with hostile names into the folder, and nowhere else", async () => {
    const outer = emptyFolder();
    const folder = join(outer, "flows");
    mkdirSync(folder);
    for (const name of ["../../x", "/etc/passwd", "con", "..", "\u202etxt.exe", "$(touch x)", "-rf"]) await made(name);
    expect((await run(folder, "pull")).code).toBe(0);
    expect(readdirSync(outer)).toEqual(["flows"]);
    for (const file of readdirSync(folder)) expect(file).toMatch(/^(\.millrace|[a-z0-9][a-z0-9-]*\.flow\.yaml)$/);
  });

  // Proves command-line.exit-codes
  it("ends with 3 for a dead server and a wrong key, and with 2 for wrong usage", async () => {
    const folder = emptyFolder();
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    const dead = start(folder, ["pull", "--json"], { MILLRACE_URL: `http://127.0.0.1:${port}` });
    const { code, out } = await ended(dead);
    expect([code, JSON.parse(out)]).toMatchObject([3, { error: { code: "NO_ANSWER" } }]);
    const wrong = await ended(start(folder, ["pull"], { MILLRACE_API_KEY: "not-a-key-of-this-server" }));
    expect(wrong).toMatchObject({ code: 3, err: expect.not.stringContaining("not-a-key-of-this-server") });
    expect((await run(folder, "pull", "--nonsense")).code).toBe(2);
    expect((await ended(start(folder, ["pull"], { MILLRACE_API_KEY: "" }))).code).toBe(2);
  });

  // Proves command-line.runs
  it("runs a flow, shows its logs, and replays its past runs", async () => {
    const log = { id: "say", type: "log", config: { message: "hello {{ $trigger.body.name }}" } };
    const flow = await made("Runs", { nodes: [log], edges: [] });
    const folder = emptyFolder();
    const result = await run(folder, "run", flow.id, "--data", '{"name": "Ada"}', "--follow");
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining("hello Ada") });
    expect(await run(folder, "logs", "Runs")).toMatchObject({ code: 0, out: expect.stringContaining("hello Ada") });
    await run(folder, "pull");
    expect(await run(folder, "backtest", "Runs")).toMatchObject({ code: 0, out: expect.stringContaining("1 same") });
    change(fileOf(folder, flow.id), "type: log", "type: stop");
    expect((await run(folder, "backtest", "Runs")).code).toBe(1);
    const stop = { id: "stop", type: "stop", config: { status: "failed", message: "enough" } };
    const failing = await made("Fails", { nodes: [stop], edges: [] });
    expect((await run(folder, "run", failing.id)).code).toBe(1);
  });

  // Proves command-line.login
  it("keeps a key that the server knows, in a file of its own", async () => {
    const folder = emptyFolder();
    const home = emptyFolder();
    const login = (key: string) => {
      const child = start(folder, ["login", baseUrl()], { HOME: home, MILLRACE_API_KEY: "", MILLRACE_URL: "" });
      child.stdin?.write(`${key}\n`);
      return ended(child);
    };
    expect((await login("no-such-key")).code).toBe(3);
    expect((await login(apiKey())).code).toBe(0);
    const nothing = { HOME: home, MILLRACE_API_KEY: "", MILLRACE_URL: "" };
    expect((await ended(start(folder, ["status"], nothing))).code).toBeLessThan(2);
    chmodSync(join(home, ".config/millrace/keys.json"), 0o644);
    expect(await ended(start(folder, ["status"], nothing))).toMatchObject({
      code: 2,
      err: expect.stringContaining("chmod 600"),
    });
  });
});

describe("the story in docs/flows-as-code.md", () => {
  // Proves command-line.story
  it("runs as it stands", async () => {
    const folder = emptyFolder();
    const bin = emptyFolder();
    writeFileSync(join(bin, "millrace"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
    writeFileSync(join(bin, "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    const [, story = ""] = readFileSync("docs/flows-as-code.md", "utf8").split(
      "## From a start to a reviewed pull request",
    );
    const blocks = [...story.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? "");
    expect(blocks).toHaveLength(6);
    const script = blocks
      .join("\n")
      .replace("http://localhost:3000", baseUrl())
      .replace("my-first-key-of-32-characters-or-more", apiKey());
    const path = `${bin}:${process.env.PATH}`;
    // 1 says that something differs or is refused; anything above that is an error.
    const guarded = `trap 'code=$?; [ $code -le 1 ] || exit $code' ERR\n${script}`;
    const child = spawn("bash", ["-c", guarded], { cwd: folder, env: environment({ PATH: path }), stdio: "pipe" });
    const { code, out, err } = await ended(child);
    expect([code, err]).toEqual([0, expect.not.stringContaining("millrace:")]);
    expect(out).toContain("2 tests, 0 failed");
    expect(out).toContain('"shipping": 5');
    expect(out).toMatch(/condition: "\$trigger\.body\.total > 100" → "\$trigger\.body\.total > 50"/);
    const { data } = await get<TestFlow[]>("/flows?search=Shipping");
    expect(data).toMatchObject([{ name: "Shipping", status: "active" }]);
    expect((await read(data[0]?.id ?? "")).nodes[0]?.config).toEqual({ condition: "$trigger.body.total > 50" });
  });
});
