// A process that does what a server does to the database, without HTTP: it stores runs for workers, claims and executes
// what is due, renews leases, and suspends runs that others wake.
import { triggerTextOf } from "#lib/executions/store/new-execution.ts";
import { database } from "#lib/platform/database.ts";
import { worker } from "#lib/runtime/embedded/worker.ts";
import { schedules } from "#lib/runtime/schedules/schedules.ts";
import { queueRun } from "#lib/runtime/start/queue-run.ts";

const flowIds = (process.env.BENCH_FLOWS ?? "").split(",");
const rate = Number(process.env.BENCH_RATE);

worker().takeRuns();
schedules();
const flows = await database().flow.findMany({ where: { id: { in: flowIds } } });
const trigger = triggerTextOf({ body: { total: 120 }, headers: {}, query: {}, method: "POST" });
const request = { triggerType: "manual", trigger, source: "api", ip: null, userAgent: null } as const;
let turn = 0;
process.send?.("ready");
setInterval(() => {
  turn += 1;
  const flow = flows[turn % flows.length];
  if (flow !== undefined) queueRun(flow, request).catch((error: unknown) => console.error(`${error}`));
}, 1_000 / rate);
process.on("message", () => {
  void worker()
    .drain()
    .then(() => process.exit(0));
});
