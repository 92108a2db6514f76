import type { Prisma, PrismaClient } from "#lib/platform/prisma/client.ts";
import { nextTime, type Schedule } from "./schedule.ts";

/** The database, or a transaction in it. */
type Writer = Pick<PrismaClient, "$executeRaw" | "flowSchedule">;

/**
 * Notes when the flow runs next, in the transaction that makes it so. A change of something else leaves that time as it
 * is, so that a time that has just come is not passed over.
 */
export function storeSchedule(
  database: Writer,
  flowId: string,
  { cron, timezone, misfire }: Schedule,
  now: Date,
): Prisma.PrismaPromise<number> {
  const next = nextTime({ cron, timezone }, now);
  return database.$executeRaw`
    INSERT INTO flow_schedule (flow_id, cron, timezone, misfire, next_run_at)
    VALUES (${flowId}, ${cron}, ${timezone}, ${misfire}, ${next})
    ON CONFLICT (flow_id) DO UPDATE SET cron = excluded.cron, timezone = excluded.timezone, misfire = excluded.misfire,
      next_run_at = CASE WHEN (flow_schedule.cron, flow_schedule.timezone) = (excluded.cron, excluded.timezone)
        THEN flow_schedule.next_run_at ELSE excluded.next_run_at END`;
}

/** The flow does not run by itself any more. */
export async function dropSchedule(database: Writer, flowId: string): Promise<void> {
  await database.flowSchedule.deleteMany({ where: { flowId } });
}
