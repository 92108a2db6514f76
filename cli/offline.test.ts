// Commands that need no server: checks, tests, comparisons, imports, and usage errors.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFlowText } from "#lib/flow-text/write-flow-text.ts";
import { n8nDocument, n8nNode, set } from "#lib/n8n/testing/workflows.ts";
import { command, emptyFolder } from "./testing/command.ts";

let folder: string;
beforeEach(() => {
  folder = emptyFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...given: string[]) => command({ HOME: folder }, ...given);
const write = (file: string, text: string) => {
  writeFileSync(join(folder, file), text);
  return join(folder, file);
};

const shipping = `version: 1.0.0
name: Shipping
trigger:
  type: manual
nodes:
  total:
    type: transform
    config:
      transform: |-
        return { sum: $trigger.body.items.map((item) => item.price).reduce((a, b) => a + b, 0), at: Date.now() };
    next: large
  large:
    type: if-else
    config:
      condition: $nodes.total.output.sum > 100
    next:
      "true": free
      "false": paid
  free:
    type: transform
    config:
      transform: "({ shipping: 0, at: $nodes.total.output.at })"
  paid:
    type: http-request
    config:
      url: https://rates.example/
tests:
  - name: A large order is free
    trigger:
      body:
        items:
          - price: 70
          - price: 80
    now: "2026-01-31T10:00:00.000Z"
    expect:
      output:
        shipping: 0
        at: 1769853600000
  - name: A small order asks for the rate
    trigger:
      body:
        items:
          - price: 7
    recordings:
      paid:
        output:
          status: 200
          headers: {}
          body: 5
    expect:
      nodes:
        free:
          status: skipped
`;

describe("check", () => {
  // Proves command-line.offline
  test("reports problems and advice with file, line and column", async () => {
    const file = write("shipping.flow.yaml", shipping.replace('"true": free', '"true": fre'));
    const ended = await run("check", file);
    expect(ended.code).toBe(1);
    const line = shipping.split("\n").findIndex((text) => text.includes('"true"')) + 1;
    expect(ended.out).toMatch(new RegExp(`^${file}:${line}:\\d+: error: .*there is no node "fre"`, "m"));
    const sound = await run("check", write("shipping.flow.yaml", shipping));
    expect(sound.code).toBe(0);
    expect(sound.out).toContain("[NO_RETRY]");
    expect((await run("check", "--strict", file)).code).toBe(1);
  });

  test("warns of an answer after a minute, as long as a server's callers wait", async () => {
    const waiting = (ms: number) =>
      `version: 1.0.0\nname: A\ntrigger:\n  type: webhook\nnodes:\n  wait:\n    type: delay\n    config:\n      ms: ${ms}\n    next: answer\n  answer:\n    type: respond\n`;
    expect((await run("check", write("a.flow.yaml", waiting(60_000)))).out).not.toContain("SLOW_BEFORE_ANSWER");
    expect((await run("check", write("a.flow.yaml", waiting(60_001)))).out).toContain("SLOW_BEFORE_ANSWER");
  });

  test("reports as JSON what it found, and where texts cannot be read", async () => {
    write("broken.flow.yaml", "nodes: [");
    const { code, out } = await run("check", folder, "--json");
    expect([code, JSON.parse(out)]).toMatchObject([1, { flows: 1, findings: [{ severity: "error", line: 1 }] }]);
  });

  test("has nothing to check where there are no flows", async () => {
    expect(await run("check", folder)).toMatchObject({ code: 2, err: expect.stringContaining("There is no flow in") });
    expect((await run("check", join(folder, "nowhere"))).code).toBe(2);
  });

  test("checks schedules and polls too", async () => {
    const poll = "version: 1.0.0\nname: P\ntrigger:\n  type: poll\n  config:\n    everyMs: 5\nnodes: {}\n";
    const schedule = "version: 1.0.0\nname: S\ntrigger:\n  type: schedule\n  config:\n    cron: nonsense\nnodes: {}\n";
    write("p.flow.yaml", poll);
    write("s.flow.yaml", schedule);
    const { out } = await run("check", folder);
    expect(out).toMatch(/p\.flow\.yaml:\d+:\d+: error: trigger\.config\.everyMs/);
    expect(out).toMatch(/s\.flow\.yaml:\d+:\d+: error: trigger\.config\.cron/);
  });
});

describe("test", () => {
  test("replays by the sandbox, at the recorded time, and calls nobody", async () => {
    const junit = join(folder, "junit.xml");
    const ended = await run("test", write("shipping.flow.yaml", shipping), "--junit", junit);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("2 tests, 0 failed") });
    expect(readFileSync(junit, "utf8")).toContain('tests="2" failures="0"');
  });

  test("reports what differs, and writes it as XML that holds any text", async () => {
    const wrong = shipping
      .replace("shipping: 0\n        at", "shipping: 1\n        at")
      .replace("A large", 'A <"&\\u0007"> large');
    const file = write(
      "shipping.flow.yaml",
      wrong.replace("name: A <", "name: 'A <").replace("large order is free", "large order is free'"),
    );
    const junit = join(folder, "junit.xml");
    const ended = await run("test", file, "--junit", junit);
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/output\.shipping: differs\n\s+expected 1\n\s+actual {3}0/);
    expect(readFileSync(junit, "utf8")).toContain("A &lt;&quot;&amp;");
  });

  test("fails what is not recorded, and what cannot be read", async () => {
    write("shipping.flow.yaml", shipping.replace(/ {4}recordings:[\s\S]*?body: 5\n/, ""));
    write("broken.flow.yaml", "nodes: [");
    const ended = await run("test", folder);
    expect(ended).toMatchObject({ code: 1, out: expect.stringContaining("NOT_RECORDED") });
    expect(ended.err).toContain("broken.flow.yaml:1:");
  });
});

describe("diff", () => {
  test("of two files reports nodes and fields, but no moved cards", async () => {
    const [a, b] = [write("a.flow.yaml", shipping), write("b.flow.yaml", shipping.replace("> 100", "> 50"))];
    const ended = await run("diff", a, b);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain('config.condition: "$nodes.total.output.sum > 100" → "$nodes.total.output.sum > 50"');
    write("b.flow.yaml", `${shipping}layout:\n  cards:\n    free: [1, 2]\n`);
    expect(await run("diff", a, b)).toMatchObject({ code: 0, out: "No differences\n" });
  });

  test("of two folders reports added and removed files", async () => {
    for (const name of ["a", "b"]) mkdirSync(join(folder, name));
    write("a/old.flow.yaml", shipping);
    write("b/new.flow.yaml", shipping);
    const { out } = await run("diff", join(folder, "a"), join(folder, "b"), "--json");
    expect(JSON.parse(out).files).toMatchObject([
      { file: "new.flow.yaml", kind: "added" },
      { file: "old.flow.yaml", kind: "removed" },
    ]);
  });

  test("as a comment has nothing that is markup", async () => {
    const hostile = shipping.replace("name: Shipping", 'name: "``` @all <b>"').replace("> 100", "> 1 // ```` @all");
    const [a, b] = [write("a.flow.yaml", shipping), write("b.flow.yaml", hostile)];
    const { out } = await run("diff", a, b, "--markdown");
    expect(out).toMatch(/^#### `@all <b>` — `[^`]*`$/m);
    expect(out).toMatch(/^`{5}diff$/m);
  });

  test("of a folder with a commit compares the same files, whatever folder is the current one", async () => {
    const flows = join(folder, "flows");
    for (const name of ["inner", ".drafts"]) mkdirSync(join(flows, name), { recursive: true });
    for (const name of ["a", "inner/b", ".drafts/c"]) write(`flows/${name}.flow.yaml`, shipping);
    const git = (...given: string[]) => execFileSync("git", ["-C", folder, ...given], { stdio: "pipe" });
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@b.test", "commit", "-q", "-m", "Flows");
    const commit = execFileSync("git", ["-C", folder, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    // The commit must not exist in the repository of the current folder.
    expect(await run("diff", commit, flows)).toMatchObject({ code: 0, out: "No differences\n" });
    write("flows/inner/b.flow.yaml", shipping.replace("> 100", "> 50"));
    const { out } = await run("diff", commit, flows, "--json");
    expect(JSON.parse(out).files).toMatchObject([{ file: "inner/b.flow.yaml", kind: "changed" }]);
    const one = await run("diff", commit, join(flows, "inner/b.flow.yaml"), "--json");
    expect(JSON.parse(one.out).files).toMatchObject([{ kind: "changed" }]);
  });

  test("refuses what is neither a file nor a commit", async () => {
    expect((await run("diff", "--output=x", "y")).code).toBe(2);
    expect((await run("diff", "no-such-commit")).code).toBe(2);
    expect(await run("diff", folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining("Nothing was pulled into"),
    });
  });
});

describe("import n8n", () => {
  test("writes a text for each workflow, and the report", async () => {
    const workflow = n8nDocument(
      "../Greeting",
      [n8nNode("Start", "manualTrigger"), set("A", { text: "x" })],
      ["Start -> A"],
      { settings: { executionTimeout: 90 } },
    );
    const two = n8nDocument("Sheet", [n8nNode("Start", "manualTrigger"), n8nNode("Sheet", "googleSheets", {})], []);
    const file = write("all.json", JSON.stringify([workflow, two]));
    const broken = write("broken.json", "{");
    const marked = write("marked.json", `\ufeff${JSON.stringify(two)}`);
    const ended = await run("import", "n8n", file, broken, marked, "--into", folder, "--json");
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.out).imported).toMatchObject([
      { file: "greeting.flow.yaml", gaps: [] },
      { file: "sheet.flow.yaml", gaps: expect.anything() },
      { file: null, error: "is no JSON" },
      { file: "sheet-2.flow.yaml" },
    ]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".yaml"))).toHaveLength(3);
    expect(readFileSync(join(folder, "greeting.flow.yaml"), "utf8")).toContain("timeoutMs: 90000");
    expect((await run("check", join(folder, "greeting.flow.yaml"))).code).toBe(0);
  });
});

describe("usage", () => {
  test.each([
    [["nonsense"]],
    [["pull", "--nonsense"]],
    [["merge", "a"]],
    [["import", "zapier", "x"]],
    [["completion", "tcsh"]],
  ])("%j ends with 2", async (given) => {
    expect((await run(...given)).code).toBe(2);
  });

  test("help and version end with 0, and no command with 2", async () => {
    expect(await run("--help")).toMatchObject({ code: 0, out: expect.stringContaining("Exit codes") });
    expect(await run("--version")).toMatchObject({ code: 0, out: "1.2.3\n" });
    expect((await run()).code).toBe(2);
  });

  test.each(["bash", "zsh", "fish"])("completion for %s knows every command and option", async (shell) => {
    const { code, out } = await run("completion", shell);
    expect(code).toBe(0);
    for (const word of ["git-setup", "dry-run", "junit"]) expect(out).toContain(word);
    expect(out).not.toContain("diff-driver");
  });

  test("a file that cannot be written leaves nothing behind", async () => {
    mkdirSync(join(folder, "taken"));
    const file = write("a.flow.yaml", shipping);
    expect((await run("test", file, "--junit", join(folder, "taken"))).code).toBe(2);
    expect(readdirSync(folder).toSorted()).toEqual(["a.flow.yaml", "taken"]);
    expect(existsSync(join(folder, "taken"))).toBe(true);
  });
});

test("a flow's text with tests at their limits is replayed one after the other", async () => {
  const tests = Array.from({ length: 100 }, (_, index) => ({
    name: `${index}`,
    trigger: { body: { at: index }, headers: {}, query: {}, method: "POST" },
    recordings: {},
    expect: { status: "completed" as const, output: index },
  }));
  const node = {
    id: "a",
    type: "transform",
    name: "a",
    position: { x: 0, y: 0 },
    config: { transform: "$trigger.body.at" },
  };
  const flow = {
    name: "Many",
    description: null,
    trigger: { type: "manual" as const, config: {} },
    nodes: [node],
    edges: [],
  };
  const file = write("many.flow.yaml", writeFlowText({ version: "1.0.0", flow, tests }));
  expect(await run("test", file)).toMatchObject({ code: 0, out: expect.stringContaining("100 tests, 0 failed") });
});
