// What one expression costs: read in the server, evaluated in the sandbox, and as trusted JavaScript in plain V8.
import { readProgram } from "#lib/engine/expression.ts";
import { readMemberPath } from "#lib/engine/member-path.ts";
import { runSimple } from "#lib/engine/simple-program.ts";
import { createSandbox, type Sandbox } from "#lib/sandbox/sandbox.ts";

const body = {
  id: "evt_0198c1",
  email: "ada@example.com",
  items: Array.from({ length: 10 }, (_, index) => ({ id: index, name: `item ${index}`, price: index * 1.5 })),
  address: { street: "12 Mill Lane", city: "Bristol", country: "GB" },
};
const trigger = { method: "POST", query: {}, headers: { "content-type": "application/json" }, body };
const json = JSON.stringify(trigger);
const rounds = 10_000;

const sources = {
  "a member path": "$trigger.body.address.city",
  "a comparison": "$trigger.body.items.length > 5 && $trigger.body.email !== ''",
  "an object": "({ id: $trigger.body.id, city: $trigger.body.address.city, count: $trigger.body.items.length })",
  "filter and map": "$trigger.body.items.filter((item) => item.price > 5).map((item) => item.name)",
};

export async function expressionsBenchmark(): Promise<void> {
  const sandbox = createSandbox({ children: 1 });
  const rows: Record<string, object> = {};
  for (const [name, source] of Object.entries(sources)) {
    const plain = await medianMicroseconds(trusted(source), 1);
    const here = inServer(source);
    const there = await medianMicroseconds(inSandbox(sandbox, source), 50);
    const own = here === null ? there : await medianMicroseconds(here, 1);
    rows[name] = {
      "plain V8, µs": plain,
      "sandbox, µs": there,
      "Millrace, µs": own,
      where: here === null ? "sandbox" : "server",
      "Millrace / V8": Number((own / plain).toFixed(1)),
    };
  }
  await sandbox.close();
  console.log(`\n${rounds} expressions over ${json.length} bytes of data: median time of one`);
  console.table(rows);
}

/** Parsed once, evaluated over the same value, as a run does it. */
function inServer(source: string): (() => unknown) | null {
  const { path, simple } = readProgram(source);
  if (path !== null) return () => readMemberPath(path, trigger);
  return simple === null ? null : () => runSimple(simple, () => trigger);
}

function trusted(source: string): () => unknown {
  const evaluate = new Function("$trigger", `"use strict"; return (${source})`);
  return () => evaluate(trigger);
}

function inSandbox(sandbox: Sandbox, source: string): () => Promise<unknown> {
  return () => sandbox.run({ scope: { $trigger: json }, programs: [{ source, kind: "expression" }] });
}

/** Of batches of `batch` that are under way at once, divided by their number; after a warm-up. */
async function medianMicroseconds(once: () => unknown, batch: number): Promise<number> {
  const repeats = batch === 1 ? 100 : 1;
  const durations: number[] = [];
  for (let round = 0; round < rounds / batch; round += 1) {
    const begunAt = performance.now();
    if (batch === 1) for (let repeat = 0; repeat < repeats; repeat += 1) once();
    else await Promise.all(Array.from({ length: batch }, once));
    durations.push(((performance.now() - begunAt) * 1_000) / (batch * repeats));
  }
  durations.sort((one, other) => one - other);
  return Number((durations[Math.floor(durations.length / 2)] ?? Number.NaN).toFixed(3));
}
