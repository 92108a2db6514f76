import type { Actor } from "#lib/auth/actor.ts";
import type { NewBacktest } from "#lib/contract/flows/backtests.ts";
import { createBacktest } from "#lib/flows/backtests/create-backtest.ts";
import { runtime } from "#lib/runtime/runtime.ts";

/** Stores a backtest and starts it in the background. Throws what `createBacktest` throws. */
export async function startBacktest(actor: Actor, flowId: string, given: NewBacktest) {
  const made = await createBacktest(actor, flowId, given);
  await runtime().backtest();
  return made;
}
