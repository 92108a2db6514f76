import { formatDuration } from "#components/time/duration.ts";
import type { Reason, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { errorHandle } from "#lib/engine/outcome.ts";

/** A reason as a sentence, and the node and expression that it is about. */
export interface DescribedReason {
  /** The node that starts the sentence; null for none. */
  readonly nodeId: string | null;
  readonly text: string;
  /** The evaluated expression, as written; null for none. */
  readonly expression: string | null;
  /** Its result. */
  readonly value: unknown;
}

type Status = ShownNodeExecution["status"];

/** What wording a reason needs. */
export interface AboutRun {
  /** The status of a node of the run, or of the same iteration. */
  readonly statusOf: (nodeId: string) => Status | undefined;
  readonly formatTime: (iso: string) => string;
}

/** Why a node is in its state, nearest reason first. */
export function describeReasons(why: readonly Reason[], about: AboutRun): DescribedReason[] {
  return why.map((reason) => describeReason(reason, about));
}

function describeReason(
  { nodeId, handle, expression, value }: Reason,
  { statusOf, formatTime }: AboutRun,
): DescribedReason {
  const plain = (text: string): DescribedReason => ({ nodeId, text, expression: null, value: undefined });
  if (isJsonObject(value) && typeof value.waitedFor === "string") return plain(describeWait(value, formatTime));
  if (isJsonObject(value) && typeof value.status === "string" && handle === null && expression === null) {
    return { ...plain(describeEnd(value)), nodeId: null };
  }
  if (handle === errorHandle && isJsonObject(value)) {
    return { nodeId, text: `failed: ${String(value.message)}`, expression: null, value: undefined };
  }
  if (expression !== null) return { nodeId, text: handle === null ? "" : `took “${handle}”`, expression, value };
  if (handle !== null && isReached(statusOf(nodeId ?? ""))) return plain(`took “${handle}”`);
  return plain(isReached(statusOf(nodeId ?? "")) ? "came before it" : "did not run either");
}

function isReached(status: Status | undefined): boolean {
  return status !== undefined && status !== "skipped" && status !== "pending";
}

const ends: Readonly<Record<string, string>> = {
  failed: "The run had failed before it reached this node",
  cancelled: "The run was cancelled before it reached this node",
  timeout: "The run timed out before it reached this node",
};

function describeEnd({ status, message, reason }: JsonObject): string {
  const parts = [message, reason].filter((text) => typeof text === "string");
  const end = ends[String(status)] ?? "The run ended before it reached this node";
  return parts.length === 0 ? `${end}.` : `${end}: ${parts.join("; ")}`;
}

const waitedFor: Readonly<Record<string, string>> = {
  call: "for an answer",
  event: "for its event",
  execution: "for another flow’s run",
};

function describeWait(
  { waitedFor: kind, since, until, wokenAt, ...woken }: JsonObject,
  format: AboutRun["formatTime"],
) {
  const label = waitedFor[String(kind)] ?? "";
  if (typeof wokenAt !== "string") {
    if (kind === "time") return typeof until === "string" ? `waits until ${format(until)}.` : "waits.";
    const end = typeof until === "string" ? `, until ${format(until)} at the latest` : ", without a time limit";
    return `waits ${label}${end}.`;
  }
  const duration = formatDuration(Date.parse(wokenAt) - Date.parse(String(since)));
  if (kind === "time") return `waited ${duration}.`;
  return `waited ${duration} ${label}. ${describeWaker(String(kind), woken)}`;
}

function describeWaker(kind: string, { wokenBy, resumedBy, executionId }: JsonObject): string {
  if (kind === "event") return wokenBy === "time" ? "It did not arrive in time." : "It arrived.";
  if (wokenBy === "time") return "Nobody answered in time.";
  if (wokenBy === "execution") return `It continued when ${String(executionId)} ended.`;
  const who = resumedBy === "member" ? "A member of the workspace" : "Someone with the link";
  return `${who} answered.`;
}

/** A reason in one line of text. */
export function lineOf(
  { nodeId, text, expression, value }: DescribedReason,
  nameOf: (nodeId: string) => string,
): string {
  const subject = nodeId === null ? "" : nameOf(nodeId);
  const evaluated = expression === null ? "" : `${text === "" ? "" : ": "}${expression} is ${JSON.stringify(value)}`;
  return `${subject} ${text}${evaluated}`.trim();
}
