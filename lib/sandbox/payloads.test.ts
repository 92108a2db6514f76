import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox, type SandboxResult } from "./sandbox.ts";
import { evaluate, valueFrom } from "./testing/evaluate.ts";
import { type Payload, reachingVariants, sideEffects } from "./testing/payload-effects.ts";

const payloads = JSON.parse(readFileSync("lib/sandbox/testdata/payloads.json", "utf8")) as Payload[];
const scope = { $trigger: { body: {} }, $nodes: {}, $vars: {} };
/** Enough at once to keep the children busy, with a harmless expression beside each. */
const atOnce = 6;

const sandbox = createSandbox({ children: 3 });
const folder = mkdtempSync(path.join(tmpdir(), "millrace-canary-"));
const file = path.join(folder, "canary.txt");
const canary = "canary-4f1d7c";
let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});

let port = 0;

beforeAll(async () => {
  process.env.CANARY_SANDBOX = canary;
  writeFileSync(file, canary);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});

afterAll(async () => {
  await sandbox.close();
  listener.close();
  rmSync(folder, { recursive: true });
  delete process.env.CANARY_SANDBOX;
});

async function forEach<Item>(
  items: readonly Item[],
  count: number,
  visit: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await visit(item);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

const probe = "typeof leak + typeof pwned + ({}).polluted";

describe("every payload", () => {
  const answers = new Map<string, SandboxResult>();

  test("ends, leaves nothing behind, and disturbs nobody", async () => {
    let requests = 0;
    await forEach(payloads, atOnce, async ({ id, expr }) => {
      const question = requests++;
      const [answer, innocent] = await Promise.all([
        evaluate(sandbox, expr, scope),
        valueFrom(sandbox, "$trigger.question * 2", { $trigger: { question } }),
      ]);
      answers.set(id, answer);
      expect(innocent, id).toBe(question * 2);
      expect(await valueFrom(sandbox, probe), id).toBe("undefinedundefinedundefined");
    });
    expect(answers.size).toBe(payloads.length);
    expect(sandbox.stats()).toMatchObject({ crashed: 0, queued: 0 });
  });

  // Proves expressions.no-host
  test("reaches nothing of the host", () => {
    for (const [id, answer] of answers) {
      const text = JSON.stringify(answer);
      for (const trace of [canary, process.version, "uid=", process.cwd()]) expect(text, id).not.toContain(trace);
    }
  });

  test("hits a limit if it loops or hoards memory, and only a handful have to be killed", () => {
    const killed = [...answers.values()].filter((answer) => !answer.ok && answer.error.name === "KilledError");
    expect(killed.length).toBeLessThanOrEqual(15);
    expect(sandbox.stats().killed).toBe(killed.length);
    for (const id of ["C02", "C03", "C09", "C24", "D01", "D10", "D20"]) {
      expect(answers.get(id), id).toMatchObject({ ok: false, error: { kind: "limit" } });
    }
  });

  test("does not reach the environment, a file or the network either", async () => {
    const variants = reachingVariants(payloads, sideEffects({ variable: "CANARY_SANDBOX", file, port }));
    expect(variants.length).toBeGreaterThan(120);
    await forEach(variants, 50, async (source) => {
      const answer = await evaluate(sandbox, source, scope);
      expect(JSON.stringify(answer), source).not.toContain(canary);
    });
    expect(connections).toBe(0);
  });

  test("works against an evaluator without a sandbox", async () => {
    const escapes = payloads.filter(({ id }) => id.startsWith("E") || id.startsWith("B")).map(({ expr }) => expr);
    const [readsVariable = ""] = sideEffects({ variable: "CANARY_SANDBOX", file, port });
    const all = [...escapes, ...reachingVariants(payloads, [readsVariable])];
    let hits = 0;
    await forEach(all, 4, async (expr) => {
      const output = await evaluateNaively(expr);
      if ([canary, process.version, "uid=", "state changed"].some((trace) => output.includes(trace))) hits += 1;
    });
    console.log(
      `${payloads.length} payloads; of ${all.length} that reach out, ${hits} leave an evaluator that is no sandbox.`,
    );
    expect(hits).toBeGreaterThanOrEqual(55);
  });
});

function evaluateNaively(source: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["lib/sandbox/testing/naive-evaluator.mjs", source],
      { timeout: 5000, killSignal: "SIGKILL", env: { ...process.env, CANARY_SANDBOX: canary } },
      (_error, stdout) => resolve(stdout),
    );
  });
}
