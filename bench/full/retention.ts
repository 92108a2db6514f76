// A process that continuously deletes expired runs, as the hourly upkeep does, once they are older than BENCH_KEPT_MS.
// Reports how many it has deleted.
import { pruneExecutions } from "#lib/executions/prune-executions.ts";
import { foldStatistics, removeEmptyStatistics } from "#lib/executions/statistics/fold-statistics.ts";

const dayMs = 86_400_000;
const everyMs = 2_000;
const keptMs = Number(process.env.BENCH_KEPT_MS);

for (;;) {
  await foldStatistics();
  // Retention of a day, evaluated as if these runs were a day old.
  const now = new Date(Date.now() + dayMs - keptMs);
  process.send?.(await pruneExecutions({ now, retentionDays: 1 }));
  await removeEmptyStatistics();
  await new Promise((resolve) => setTimeout(resolve, everyMs));
}
