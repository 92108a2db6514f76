import { admitRuns } from "./admit-runs.ts";
import { deliveries } from "./deliveries.ts";
import type { RunEnd } from "./drive-run.ts";
import { usesInngest } from "./inngest/client.ts";
import { dispatchRuns } from "./inngest/dispatch-runs.ts";
import { tellOfDeliveries } from "./inngest/tell.ts";
import { worker } from "./worker.ts";

/**
 * Has runs done that were just stored or let go: by this process or another, or by Inngest. Resolves when they are in
 * good hands; never rejects for Inngest, since whatever is not handed over now is found later. `isLimited`: it is first
 * to be seen whose turn it is among the runs of a flow.
 */
export async function dispatch(isLimited = false): Promise<void> {
  if (usesInngest()) await Promise.all([handOver(isLimited), tellOfDeliveries()]);
  else if (isLimited) worker().admit();
  else worker().wake();
}

async function handOver(isLimited: boolean): Promise<void> {
  if (isLimited) await admitRuns();
  await dispatchRuns();
}

/** Has deliveries sent that have just become due. */
export async function deliver(): Promise<void> {
  if (usesInngest()) await tellOfDeliveries();
  else deliveries().wake();
}

/** Passes on the end of a run that was done while its caller waited; one that only waits now is let go. */
export async function passOn(end: RunEnd | null): Promise<RunEnd | null> {
  if (usesInngest()) await (end === null ? dispatch() : deliver());
  return end;
}
