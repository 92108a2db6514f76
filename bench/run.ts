// `npm run bench [-- name …]`: runs the named benchmarks, or all. Each prints figures and a ratio. `fill` measures
// nothing: it prepares databases, so that measuring takes less time.
import { cpus, totalmem } from "node:os";
import { buildWhenStale } from "../scripts/build-when-stale.ts";
import { attackBenchmark } from "./attack.ts";
import { backtestBenchmark } from "./backtest.ts";
import { cliBenchmark } from "./cli.ts";
import { costBenchmark } from "./cost.ts";
import { seedForReuse } from "./data/fill.ts";
import { backupBenchmark } from "./deploy/backup.ts";
import { imageBenchmark } from "./deploy/image.ts";
import { inngestBenchmark } from "./deploy/inngest.ts";
import { startBenchmark } from "./deploy/start.ts";
import { vercelBenchmark } from "./deploy/vercel.ts";
import { editorBenchmark } from "./editor.ts";
import { expressionsBenchmark } from "./expressions.ts";
import { filesBenchmark } from "./files.ts";
import { flowTextBenchmark } from "./flow-text.ts";
import { enduranceBenchmark } from "./full/endurance.ts";
import { largeRunsBenchmark } from "./full/large-runs.ts";
import { payloadsBenchmark } from "./full/payloads.ts";
import { serversBenchmark } from "./full/servers.ts";
import { sleepersBenchmark } from "./full/sleepers.ts";
import { memoryBenchmark } from "./memory.ts";
import { pagesBenchmark } from "./pages.ts";
import { queueBenchmark } from "./queue.ts";
import { stepsBenchmark } from "./steps.ts";
import { searchBenchmark } from "./stored/search.ts";
import { storedBenchmark } from "./stored/stored.ts";
import { triggerBenchmark } from "./trigger.ts";

const benchmarks: Record<string, () => Promise<void>> = {
  stored: storedBenchmark,
  search: searchBenchmark,
  sleepers: sleepersBenchmark,
  payloads: payloadsBenchmark,
  servers: serversBenchmark,
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
  inngest: inngestBenchmark,
  backup: backupBenchmark,
  backtest: backtestBenchmark,
  cli: cliBenchmark,
  cost: costBenchmark,
  attack: attackBenchmark,
};

// Asked for by name only: `fill` measures nothing, `vercel` installs and builds for minutes, `endurance` takes half an hour,
// and `large-runs` up to ten minutes.
const known: Record<string, () => Promise<void>> = {
  ...benchmarks,
  fill: seedForReuse,
  vercel: vercelBenchmark,
  endurance: enduranceBenchmark,
  "large-runs": largeRunsBenchmark,
};
const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(known, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join(", ")}"; there are ${Object.keys(known).join(", ")}`);
  process.exit(1);
}
// A start would build it too, but a server under test has to be ready in minutes.
await buildWhenStale({ dev: false, onStop: () => {}, log: (line) => console.log(line) });
// Servers under test are separate processes: waiting for one must not let this one exit.
setInterval(() => {}, 60_000);
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
);
for (const name of names.length > 0 ? names : Object.keys(benchmarks)) await known[name]?.();
process.exit(0);
