import { createHash } from "node:crypto";
import type { FlowSettings } from "#lib/engine/flow.ts";
import { restoredValue } from "#lib/engine/outcome.ts";
import type { TriggerText } from "#lib/executions/run.ts";
import type { StartedFlow } from "#lib/executions/store/new-execution.ts";
import { type ConfigPlan, planConfig } from "#lib/expressions/expressions.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { knownValues, resolveConfig } from "#lib/scope/resolve-config.ts";

/** The effect of `settings.concurrency` on one run. */
export interface RunLimit {
  /** Runs with the same key share the limit. */
  readonly key: string;
  readonly most: number;
  readonly policy: NonNullable<NonNullable<FlowSettings["concurrency"]>["policy"]>;
}

const defaults = { limit: 1, policy: "queue" } as const;

/** How a flow limits its runs; null if it does not. `key` is empty if all its runs share one limit. */
export function concurrencyOf(settings: string | null) {
  const { concurrency } = settings === null ? {} : (JSON.parse(settings) as FlowSettings);
  if (concurrency === undefined) return null;
  const { limit, policy, key } = concurrency;
  return { most: limit ?? defaults.limit, policy: policy ?? defaults.policy, key: key ?? "" };
}

/** The concurrency key's planned expression, with or without braces. */
export function planConcurrencyKey(key: string): ConfigPlan {
  return planConfig({ key }, () => (key.includes("{{") ? "template" : "expression"));
}

/**
 * The limit that applies to this run; null if its flow has none. The key's value is stored as a hash, because it may
 * be of any length and is never read. Throws a NodeFailure if it cannot be evaluated.
 */
export async function limitOf(flow: StartedFlow, trigger: TriggerText, sandbox: Sandbox): Promise<RunLimit | null> {
  const concurrency = flow.isDraft === true ? null : concurrencyOf(flow.settings);
  if (concurrency === null) return null;
  const { key, most, policy } = concurrency;
  if (key.trim() === "") return { key: flow.id, most, policy };
  // What is known about a run before it starts.
  const known = { $trigger: await restoredValue(trigger), $flow: { id: flow.id, name: flow.name } };
  const scope = knownValues(flow.workspaceId, known);
  const { key: value } = await resolveConfig(planConcurrencyKey(key), scope, sandbox, new AbortController().signal);
  const hash = createHash("sha256")
    .update(await jsonInTurns(value))
    .digest("base64url");
  return { key: `${flow.id}.${hash}`, most, policy };
}

/** Why a run was ended by `settings.concurrency`: its recorded reason, and the message to its caller. */
export const replacedReason = 'A newer run took its place: the flow\'s concurrency policy is "cancel-previous"';

export const stuckReason =
  "It would never have begun: all the runs that its flow's concurrency limit allows at once wait for it, or for others like it, to end";

const skippedBeginning = "Skipped: ";

/** `limit`: how many runs may be in progress at once. */
export function skippedReason(limit: number): string {
  const runs = limit === 1 ? "1 run of the flow was" : `${limit} runs of the flow were`;
  return `${skippedBeginning}${runs} in progress, and its concurrency policy is "skip"`;
}

/** Whether the flow's limit cancelled the run, rather than a person. */
export function isLimitReason(reason: string | null): reason is string {
  return reason !== null && (reason === replacedReason || reason.startsWith(skippedBeginning));
}
