// The cost of one expression: in the server, in the sandbox, and as trusted JavaScript in plain V8.

import { readMemberPath } from "#lib/expressions/expressions.ts";
import { runProgram } from "#lib/expressions/program.ts";
import { readProgram } from "#lib/expressions/read-expression.ts";
import { createSandbox, type Sandbox } from "#lib/sandbox/sandbox.ts";

const body = {
  id: "evt_0198c1",
  email: "ada@example.com",
  createdAt: "2026-11-21T10:15:00Z",
  items: Array.from({ length: 10 }, (_, index) => ({ id: index, name: `item ${index}`, price: index * 1.5 })),
  address: { street: "12 Mill Lane", city: "Bristol", country: "GB" },
};
const json = JSON.stringify({ method: "POST", query: {}, headers: { "content-type": "application/json" }, body });
const rounds = 10_000;
/** One call per round, each with its own data: V8 would optimize a constant away. */
const triggers = Array.from({ length: rounds }, () => JSON.parse(json) as unknown);

const sources = {
  "a member path": "$trigger.body.address.city",
  "a comparison": "$trigger.body.items.length > 5 && $trigger.body.email !== ''",
  "an object": "({ id: $trigger.body.id, city: $trigger.body.address.city, count: $trigger.body.items.length })",
  "filter and map": "$trigger.body.items.filter((item) => item.price > 5).map((item) => item.name)",
  "a date": "new Date($trigger.body.createdAt).toISOString().slice(0, 10)",
  "a sort": "$trigger.body.items.toSorted((a, b) => b.price - a.price)",
  "a function's body":
    "$trigger.body.items.map(({ price }) => { const twice = price * 2; if (twice > 9) return 'much'; return twice; })",
  "a regular expression": "$trigger.body.email.replace(/@.*$/, '')",
};

/**
 * For every expression: the time in plain V8, the time where Millrace evaluates it, and the overhead, which is the
 * total less the time of doing the work once more.
 */
export async function expressionsBenchmark(): Promise<void> {
  const sandbox = createSandbox({ children: 1 });
  const rows: Record<string, object> = {};
  for (const [name, source] of Object.entries(sources)) {
    const plain = medianMicroseconds(ofEveryFlow(source, trusted));
    const once = await measure(source, sandbox);
    const twice = await measure(`[${source}, ${source}]`, sandbox);
    const beside = Math.max(0, once.micros - (twice.micros - once.micros));
    rows[name] = {
      "plain V8, µs": round(plain),
      "Millrace, µs": round(once.micros),
      where: once.where,
      "Millrace / V8": round(once.micros / plain),
      "overhead, µs": round(beside),
    };
  }
  const codeNodes = await measureCode(sandbox);
  await sandbox.close();
  console.log(`\n${rounds} expressions over ${json.length} bytes of data: median time of one`);
  console.table(rows);
  console.log("\na code node that computes for about a millisecond, in plain V8 and in the sandbox: median of one");
  console.table(codeNodes);
}

/** What people compute in code nodes: totals of a list's items, and texts made of them. */
const work = (turns: number) => `
  const totals = {};
  for (let turn = 0; turn < ${turns}; turn += 1) {
    for (const item of $trigger.body.items) {
      const key = item.name.toUpperCase().slice(0, 4 + (turn % 3));
      totals[key] = (totals[key] ?? 0) + Math.round(item.price * (turn + 1) * 100) / 100;
    }
  }
  return totals;`;

/** For about 1 ms of work by each engine's own measure: both times, and the share that is the sandbox's overhead. */
async function measureCode(sandbox: Sandbox): Promise<Record<string, object>> {
  const inV8 = (turns: number) => {
    const run = new Function("$trigger", work(turns)) as Evaluate;
    return medianOf(300, () => {
      last = run(triggers[0]);
    });
  };
  const inSandbox = (turns: number) =>
    medianOf(100, () => sandbox.run({ scope: { $trigger: json }, programs: [{ source: work(turns), kind: "body" }] }));
  const rows: Record<string, object> = {};
  for (const [engine, of] of Object.entries({ "plain V8": inV8, "the sandbox": inSandbox })) {
    const [few, many] = [await of(50), await of(250)];
    const turns = Math.max(1, Math.round((200 * 1_000) / (many - few)));
    const [plain, once, twice] = [await inV8(turns), await inSandbox(turns), await inSandbox(2 * turns)];
    rows[`1 ms of work for ${engine}`] = {
      "plain V8, µs": round(plain),
      "Millrace, µs": round(once),
      "V8 / Millrace": round(plain / once),
      "own work's share": round(Math.min(1, (twice - once) / once)),
    };
  }
  return rows;
}

/** Microseconds of one call, the median of several after a tenth as many to warm up. */
async function medianOf(times: number, call: () => unknown): Promise<number> {
  const durations: number[] = [];
  for (let done = -times / 10; done < times; done += 1) {
    const startedAt = performance.now();
    await call();
    if (done >= 0) durations.push((performance.now() - startedAt) * 1_000);
  }
  return median(durations);
}

const round = (value: number) => Number(value.toPrecision(3));

async function measure(source: string, sandbox: Sandbox): Promise<{ micros: number; where: string }> {
  const here = ofEveryFlow(source, inServer).filter((evaluate) => evaluate !== null);
  if (here.length > 0) return { micros: medianMicroseconds(here), where: "server" };
  return { micros: await medianInSandbox(source, sandbox), where: "sandbox" };
}

type Evaluate = (trigger: unknown) => unknown;

/** Flows with the same expression, each with its own copy: V8 would inline a single one into the loop. */
const flows = 100;

function ofEveryFlow<Made>(source: string, make: (source: string) => Made): Made[] {
  return Array.from({ length: flows }, (_, index) => make(source + " ".repeat(index)));
}

/** Parsed once, evaluated as in a run; null if only the sandbox may evaluate it. */
function inServer(source: string): Evaluate | null {
  const { path, program } = readProgram(source);
  if (path !== null) return (trigger) => readMemberPath(path, trigger);
  return program === null ? null : (trigger) => runProgram(program, () => trigger);
}

function trusted(source: string): Evaluate {
  const evaluate = new Function("$trigger", `"use strict"; return (${source})`);
  return (trigger) => evaluate(trigger);
}

/** The last result, kept so that V8 cannot drop the work. */
export let last: unknown;

/** Median of a hundred passes over all the data, after ten to warm up. */
function medianMicroseconds(evaluate: readonly Evaluate[]): number {
  const durations: number[] = [];
  for (let pass = 0; pass < 110; pass += 1) {
    const startedAt = performance.now();
    for (let index = 0; index < rounds; index += 1) last = evaluate[index % flows]?.(triggers[index]);
    if (pass >= 10) durations.push(((performance.now() - startedAt) * 1_000) / rounds);
  }
  return median(durations);
}

/** Expressions of a hundred concurrent runs, each with its own data, as under load. */
const atOnce = 100;

async function medianInSandbox(source: string, sandbox: Sandbox): Promise<number> {
  const run = () => sandbox.run({ scope: { $trigger: json }, programs: [{ source, kind: "expression" }] });
  const durations: number[] = [];
  for (let done = 0; done < rounds; done += atOnce) {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: atOnce }, run));
    durations.push(((performance.now() - startedAt) * 1_000) / atOnce);
  }
  return median(durations);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
