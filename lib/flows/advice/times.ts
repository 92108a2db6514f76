// Advice on waits: longer than a caller waits, forever, or past the schedule's next time.
import { Cron } from "croner";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { completeSchedule, scheduleProblems } from "#lib/flows/schedule.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { type AdvisedFlow, adviceOf } from "./advised-flow.ts";

/** Milliseconds that a node is certain to wait. */
function delayOf({ node }: PlannedNode): number {
  const isDelay = nodeDefinition(node.type)?.waitsFor === "time";
  return isDelay && typeof node.config.ms === "number" ? node.config.ms : 0;
}

/** Whether a node waits for a call or an event. */
function waitsForOthers({ node }: PlannedNode): boolean {
  const { waitsFor, steps } = nodeDefinition(node.type) ?? {};
  // A node that takes steps may or may not wait for a person.
  if (steps !== undefined) return false;
  return waitsFor === "call" || waitsFor === "event";
}

/**
 * How long a node may wait for people or events, in ms: infinite without a limit; 0 for an expression, which is
 * unknown.
 */
function othersOf(planned: PlannedNode): number {
  const { node } = planned;
  if (!waitsForOthers(planned)) return 0;
  const { timeoutMs = null } = node.config;
  if (timeoutMs === null) return Number.POSITIVE_INFINITY;
  return typeof timeoutMs === "number" ? timeoutMs : 0;
}

/** Waits before the answer that are longer than a caller waits. */
export function slowBeforeAnswer(flow: AdvisedFlow): FlowAdvice[] {
  const before = flow.beforeAnswer();
  return flow.own.flatMap((planned) => {
    const { node } = planned;
    if (!before.has(node.id) || Math.max(delayOf(planned), othersOf(planned)) <= flow.callerWaitsMs) return [];
    const message = "waits longer than the caller does: the caller gets 202 instead of the answer";
    return [adviceOf(planned, "SLOW_BEFORE_ANSWER", "warning", message)];
  });
}

const weekMs = 7 * 24 * 3_600_000;

/** Waits for a call or an event without a time limit. */
export function waitsWithoutTimeout(flow: AdvisedFlow): FlowAdvice[] {
  return flow.planned.flatMap((planned) => {
    const { node } = planned;
    if (!waitsForOthers(planned) || node.config.timeoutMs != null) return [];
    const fix = flow.withConfig(planned, "Give up after a week", { ...node.config, timeoutMs: weekMs });
    const message = "waits forever if nobody answers";
    return [adviceOf(planned, "WAIT_WITHOUT_TIMEOUT", "info", message, { field: "timeoutMs", fix })];
  });
}

/** How many times of a schedule to check: intervals may differ within a day. */
const timesLookedAt = 50;
/** Later times are rare, and cost too much to find. */
const lookedAheadMs = 366 * 24 * 3_600_000;

/** A schedule that fires again while the previous run is certainly still in progress. */
export function overlappingSchedule(flow: AdvisedFlow): FlowAdvice[] {
  const { type, config } = flow.flow.trigger;
  if (type !== "schedule" || scheduleProblems(config).length > 0) return [];
  const longest = longestDelay(flow);
  if (longest === null) return [];
  const { cron, timezone } = completeSchedule(config);
  if (!firesWithin(new Cron(cron, { timezone }), longest.ms)) return [];
  const trigger = { node: { ...longest.last.node, id: triggerSource }, path: `${triggerSource}.config` };
  const message = "fires again while the previous run still waits: runs overlap, unless the flow limits concurrency";
  return [adviceOf(trigger, "OVERLAPPING_SCHEDULE", "info", message, { field: "cron" })];
}

/** Whether two of the next times are less than `ms` apart. */
function firesWithin(schedule: Cron, ms: number): boolean {
  const first = timeNow();
  let last = schedule.nextRun(first);
  for (let count = 1; count < timesLookedAt && last !== null; count += 1) {
    if (last.getTime() - first.getTime() > lookedAheadMs) return false;
    const next = schedule.nextRun(last);
    if (next !== null && next.getTime() - last.getTime() < ms) return true;
    last = next;
  }
  return false;
}

/** The longest sum of delays on one path; null if there are none. */
function longestDelay(flow: AdvisedFlow): { readonly ms: number; readonly last: PlannedNode } | null {
  const known = new Map<string, number>();
  let best: { ms: number; last: PlannedNode } | undefined;
  const waiting = new Map(flow.own.map(({ node }) => [node.id, 0]));
  for (const { node } of flow.own) {
    for (const { target } of flow.edgesFrom(node.id)) waiting.set(target, (waiting.get(target) ?? 0) + 1);
  }
  const byId = new Map(flow.own.map((planned) => [planned.node.id, planned]));
  const ready = flow.own.filter(({ node }) => waiting.get(node.id) === 0);
  for (const planned of ready) {
    const ms = (known.get(planned.node.id) ?? 0) + delayOf(planned);
    if (ms > (best?.ms ?? 0)) best = { ms, last: planned };
    for (const { target } of flow.edgesFrom(planned.node.id)) {
      known.set(target, Math.max(known.get(target) ?? 0, ms));
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      const next = byId.get(target);
      if (left === 0 && next !== undefined) ready.push(next);
    }
  }
  return best ?? null;
}
