import { createHash } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import type { KeysRequest } from "#lib/executions/nodes/node-context.ts";
import type { StepOfRun } from "#lib/nodes/across-runs/table-access.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import type { RunStatement } from "#lib/platform/database.ts";
import { mapInTurns, yieldTurn } from "#lib/platform/turns.ts";
import { onceForStep } from "#lib/tables/step-effect.ts";
import { inTableTransaction } from "#lib/tables/table.ts";

// A key that is seen again keeps its time; one that has expired, or that this retry's original saw, is new. In the
// order of the hashes, so that two runs with the same keys cannot deadlock.
const insertSeen = `
  INSERT INTO met_key AS m (scope, hash, execution_id, until)
  SELECT $1, h.hash, $3, now() + $4 * interval '1 millisecond' FROM unnest($2::bytea[]) AS h(hash) ORDER BY h.hash
  ON CONFLICT (scope, hash) DO UPDATE SET execution_id = excluded.execution_id, until = excluded.until
    WHERE m.until <= now() OR m.execution_id = $5
  RETURNING encode(hash, 'hex') AS hash`;

const keysAtOnce = 1_000;
const triesMax = 5;

/**
 * Whether each key is new: seen by no run of the scope in the last `windowMs` milliseconds, nor earlier in this list.
 * Marks the keys as seen, in the transaction that records the step's result. Throws NodeFailure.
 */
export async function areNewKeys(step: StepOfRun, request: KeysRequest): Promise<readonly boolean[]> {
  const hashes = await mapInTurns(request.keys, (key) => createHash("sha256").update(key, "utf16le").digest("hex"));
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTableTransaction((run) =>
        onceForStep(run, step, async () => {
          const areNew = await insertKeys(run, step, request, hashes);
          await request.requireFit(areNew);
          return areNew;
        }),
      );
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const message = "Other runs keep meeting the same keys";
      if (tries === triesMax) throw new NodeFailure("KEYS_BUSY", message, { field: "dedupe", cause: error });
    }
  }
}

async function insertKeys(
  run: RunStatement,
  { executionId }: StepOfRun,
  { scope, windowMs, originalId }: KeysRequest,
  hashes: readonly string[],
): Promise<boolean[]> {
  const inserted = new Set<string>();
  const all = [...new Set(hashes)].toSorted();
  for (let from = 0; from < all.length; from += keysAtOnce) {
    const some = all.slice(from, from + keysAtOnce).map((hash) => Buffer.from(hash, "hex"));
    const values = [scope, some, executionId, windowMs, originalId];
    for (const { hash } of await run<{ hash: string }>("meet-keys", insertSeen, values)) inserted.add(hash);
    await yieldTurn();
  }
  // Only the first of equal keys is new.
  return hashes.map((hash) => inserted.delete(hash));
}
