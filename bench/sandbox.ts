import { createSandbox, type Sandbox } from "#lib/sandbox/sandbox.ts";

/** What one expression costs: through the sandbox, and evaluated with `new Function` as if it could be trusted. */

const body = {
  id: "evt_0198c1",
  email: "ada@example.com",
  items: Array.from({ length: 10 }, (_, index) => ({ id: index, name: `item ${index}`, price: index * 1.5 })),
  address: { street: "12 Mill Lane", city: "Bristol", country: "GB" },
};
const trigger = JSON.stringify({ method: "POST", query: {}, headers: { "content-type": "application/json" }, body });
const source = "$trigger.body.items.filter((item) => item.price > 5).map((item) => item.name)";

async function measure(name: string, concurrency: number, total: number, once: () => unknown): Promise<void> {
  const durations: number[] = [];
  let left = total;
  const begunAt = performance.now();
  const client = async () => {
    while (left-- > 0) {
      const startedAt = performance.now();
      await once();
      durations.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const seconds = (performance.now() - begunAt) / 1000;
  durations.sort((one, other) => one - other);
  const at = (share: number) => (durations[Math.floor(durations.length * share)] ?? 0).toFixed(3);
  const rate = Math.round(total / seconds);
  console.log(
    `${name.padEnd(28)} ${String(concurrency).padStart(3)} at once  ${rate} tasks/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms`,
  );
}

async function measureSandbox(name: string, sandbox: Sandbox): Promise<void> {
  const once = async () => {
    const { results } = await sandbox.run({ scope: { $trigger: trigger }, programs: [{ source, kind: "expression" }] });
    if (results[0]?.ok !== true) throw new Error(JSON.stringify(results));
  };
  for (let warm = 0; warm < 500; warm++) await once();
  await measure(name, 1, 3000, once);
  await measure(name, 50, 30_000, once);
  await sandbox.close();
}

console.log(`scope of ${trigger.length} bytes`);
await measureSandbox("sandbox, 1 child", createSandbox({ children: 1 }));
await measureSandbox("sandbox, 2 children", createSandbox({ children: 2 }));
const trusted = new Function("$trigger", `"use strict"; return (${source})`);
const evaluate = () => JSON.stringify(trusted(JSON.parse(trigger)));
await measure("V8, no sandbox", 1, 30_000, evaluate);
await measure("V8, no sandbox", 50, 30_000, evaluate);
