// `npm run bench [-- name …]`: runs the named benchmarks, or all. Each prints figures and a ratio. `fill` measures
// nothing: it prepares databases, so that measuring takes less time.
import { cpus, totalmem } from "node:os";
import { attackBenchmark } from "./attack.ts";
import { backtestBenchmark } from "./backtest.ts";
import { cliBenchmark } from "./cli.ts";
import { costBenchmark } from "./cost.ts";
import { fillForLater } from "./data/fill.ts";
import { backupBenchmark } from "./deploy/backup.ts";
import { imageBenchmark } from "./deploy/image.ts";
import { startBenchmark } from "./deploy/start.ts";
import { vercelBenchmark } from "./deploy/vercel.ts";
import { editorBenchmark } from "./editor.ts";
import { expressionsBenchmark } from "./expressions.ts";
import { filesBenchmark } from "./files.ts";
import { flowTextBenchmark } from "./flow-text.ts";
import { memoryBenchmark } from "./memory.ts";
import { pagesBenchmark } from "./pages.ts";
import { queueBenchmark } from "./queue.ts";
import { searchBenchmark } from "./search.ts";
import { stepsBenchmark } from "./steps.ts";
import { storedBenchmark } from "./stored.ts";
import { triggerBenchmark } from "./trigger.ts";

const benchmarks: Record<string, () => Promise<void>> = {
  stored: storedBenchmark,
  search: searchBenchmark,
  trigger: triggerBenchmark,
  editor: editorBenchmark,
  pages: pagesBenchmark,
  steps: stepsBenchmark,
  queue: queueBenchmark,
  expressions: expressionsBenchmark,
  "flow-text": flowTextBenchmark,
  memory: memoryBenchmark,
  files: filesBenchmark,
  start: startBenchmark,
  image: imageBenchmark,
  backup: backupBenchmark,
  backtest: backtestBenchmark,
  cli: cliBenchmark,
  cost: costBenchmark,
  attack: attackBenchmark,
};

// Asked for by name only: `fill` measures nothing, and `vercel` installs and builds for minutes.
const known: Record<string, () => Promise<void>> = { ...benchmarks, fill: fillForLater, vercel: vercelBenchmark };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(known, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join(", ")}"; there are ${Object.keys(known).join(", ")}`);
  process.exit(1);
}
// Servers under test are separate processes: waiting for one must not let this one exit.
setInterval(() => {}, 60_000);
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
);
for (const name of asked.length > 0 ? asked : Object.keys(benchmarks)) await known[name]?.();
process.exit(0);
