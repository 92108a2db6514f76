// Runs generated expressions and mutated payloads for `FUZZ_SECONDS` (60): each ends in time, reaches nothing and
// leaves nothing behind, and concurrent expressions are answered. `FUZZ_SECONDS=3600 npm test -- unit
// fuzzed-expressions` runs for an hour; a failure prints the seed for `FUZZ_SEED`.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "./sandbox.ts";
import { evaluate, valueFrom } from "./testing/evaluate.ts";
import { hostileExpressions } from "./testing/hostile-grammar.ts";

const seconds = Number(process.env.FUZZ_SECONDS ?? 60);
const firstSeed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
/** Less than in production, so that loops leave time for more expressions. */
const limits = { cpuMs: 20 };
/** Limit and hard kill, plus the delays of a busy machine and a new child. */
const endsWithinMs = 10_000;
const together = 24;
const canary = "canary-9c41e7";
const scope = { $trigger: { body: { x: 1 } }, $nodes: {}, $vars: {} };
const payloads = JSON.parse(readFileSync("lib/sandbox/testdata/payloads.json", "utf8")) as { expr: string }[];

const sandbox = createSandbox({ children: 3 });
beforeAll(() => {
  process.env.CANARY_FUZZ = canary;
});
afterAll(async () => {
  delete process.env.CANARY_FUZZ;
  await sandbox.close();
});

let evaluated = 0;
let values = 0;

async function expectContained(source: string): Promise<void> {
  const startedAt = performance.now();
  const result = await evaluate(sandbox, source, scope, limits);
  evaluated += 1;
  expect(performance.now() - startedAt).toBeLessThan(endsWithinMs);
  const text = result.ok ? result.json : `${result.error.name} ${result.error.message}`;
  for (const trace of [canary, process.version, process.cwd()]) {
    // It may repeat its own source.
    if (!source.includes(trace)) expect(text).not.toContain(trace);
  }
  if (!result.ok) return;
  values += 1;
  expect(() => JSON.parse(result.json)).not.toThrow();
}

const expressions = hostileExpressions(payloads.map(({ expr }) => expr));
const contained = fc.asyncProperty(
  fc.array(expressions, { minLength: together, maxLength: together }),
  async (sources) => {
    const innocent = valueFrom(sandbox, "$trigger.body.x + 41", scope);
    await Promise.all(sources.map(expectContained));
    expect(await innocent).toBe(42);
    expect(await valueFrom(sandbox, "typeof leak + typeof pwned + ({}).polluted")).toBe("undefinedundefinedundefined");
    expect(await valueFrom(sandbox, "JSON.stringify([1, { a: [] }])")).toBe('[1,{"a":[]}]');
  },
);

test("fuzzed expressions end, reach nothing and leave nothing behind", {
  timeout: (seconds + 240) * 1_000,
}, async () => {
  const end = Date.now() + seconds * 1_000;
  for (let seed = firstSeed; Date.now() < end; seed += 1) await fc.assert(contained, { numRuns: 4, seed });
  const { killed, crashed } = sandbox.stats();
  const summary = `${values} values, ${killed} killed, ${crashed} children died; the first seed was ${firstSeed}`;
  console.log(`${evaluated} fuzzed expressions: ${summary}.`);
  expect(crashed).toBe(0);
  expect(values).toBeGreaterThan(evaluated / 100);
});
