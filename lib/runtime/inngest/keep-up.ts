import { setTimeout as sleep } from "node:timers/promises";
import type { GetStepTools } from "inngest";
import type { Client } from "./client.ts";

/** How long one run of such a function sees to what becomes due; then the next minute's does. */
const periodMs = 58_000;
/** What is due so soon is waited for in the same step: Inngest's sleeps are whole seconds, and a step costs a call. */
const soonMs = 1_500;
/** A step looks no more after this long. */
const stepMs = 20_000;

/**
 * Does what is due now, and again each time that something is, for a minute: Inngest starts such a function once a
 * minute, and sleeps between. `look` gives in how many milliseconds the next thing is due, or null for none. Gives how
 * often it was done.
 */
export async function keepUp(
  tools: GetStepTools<Client>,
  name: string,
  look: () => Promise<number | null>,
): Promise<number> {
  let endsAt: number | undefined;
  for (let turn = 1; ; turn += 1) {
    const { at, nextAt } = await tools.run({ id: `${name} ${turn}`, name }, () => lookUntilIdle(look));
    endsAt ??= at + periodMs;
    if (nextAt === null || nextAt > endsAt) return turn;
    await tools.sleepUntil({ id: `Until the next is due ${turn}`, name: "Until the next is due" }, new Date(nextAt));
  }
}

async function lookUntilIdle(look: () => Promise<number | null>): Promise<{ at: number; nextAt: number | null }> {
  const at = Date.now();
  for (;;) {
    const nextMs = await look();
    if (nextMs === null) return { at, nextAt: null };
    if (nextMs > soonMs || Date.now() - at > stepMs) return { at, nextAt: Date.now() + nextMs };
    await sleep(Math.max(10, nextMs));
  }
}
