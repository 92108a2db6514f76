import { concurrencyOf } from "#lib/executions/run-limit.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";

/**
 * Has runs that wait for their turn wait by what the flow's settings say now, in the transaction that changes these;
 * without a limit, they may begin. Which runs share a limit stays as it was when they came.
 */
export async function relimitRuns(
  transaction: Pick<PrismaClient, "$executeRaw">,
  flowId: string,
  settings: string | null,
): Promise<void> {
  const concurrency = concurrencyOf(settings);
  await transaction.$executeRaw`
    UPDATE execution SET held = ${concurrency !== null}, concurrency_limit = ${concurrency?.most ?? null}::int,
      concurrency_policy = ${concurrency?.policy ?? null}
    WHERE flow_id = ${flowId} AND status = 'pending' AND held`;
}
