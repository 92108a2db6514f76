import { setTimeout as sleep } from "node:timers/promises";
import { createSandbox } from "../sandbox.ts";

/** A server for a test to kill: prints its children's process ids once one is idle and the other stuck. */
const sandbox = createSandbox({ children: 2, hardKillMs: 600_000 });
const evaluate = (source: string, owner: string) =>
  sandbox.run({ scope: {}, programs: [{ source, kind: "expression" }], owner });

void evaluate("Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)", "one");
while (sandbox.stats().running.length === 0) await sleep(20);
// The last child is reserved for owners that hold none of the others.
await evaluate("1", "another");
setInterval(() => {
  if (sandbox.stats().running.length === 1) console.log(JSON.stringify(sandbox.stats().children));
}, 50);
