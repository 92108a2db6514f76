import { createSandbox } from "../sandbox.ts";

/** A server for a test to kill: prints its children's process ids once one is idle and the other stuck. */
const sandbox = createSandbox({ children: 2, hardKillMs: 600_000 });
const ask = (source: string) => sandbox.run({ scope: {}, programs: [{ source, kind: "expression" }] });

await Promise.all([ask("1"), ask("2")]);
void ask("Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)");
setInterval(() => {
  if (sandbox.stats().running.length === 1) console.log(JSON.stringify(sandbox.stats().children));
}, 50);
