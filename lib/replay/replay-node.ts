import { formatPath, type JsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { cancelled, type JsonText, jsonText, type Outcome } from "#lib/engine/outcome.ts";
import type { Begun } from "#lib/engine/run.ts";
import type { Step } from "#lib/engine/step.ts";
import type { WaitRequest, Wake } from "#lib/engine/wait.ts";
import { type NodeBegun, type NodeDefinition, NodeFailure, type NodeResult } from "#lib/nodes/define.ts";
import { nodeConfigSchema, nodeDefinition, nodeTypes } from "#lib/nodes/registry.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { resolveConfig } from "#lib/scope/resolve-config.ts";
import { type ScopedRun, scopeOf } from "#lib/scope/scope.ts";
import { fixedSandbox } from "./fixed-sandbox.ts";
import type { Replayable } from "./prepare.ts";
import { memberOf, type RecordedOutcome, type Tape } from "./recording.ts";
import { hiddenCredentials, replayContext } from "./replay-context.ts";

/** What all steps of a replay share. */
export interface Replaying {
  readonly run: ScopedRun & { readonly trigger: { readonly headers: Readonly<Record<string, string>> } };
  readonly flow: Replayable;
  readonly nowMs: number;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly tape: Tape;
  /** What steps would have sent, by their ids. */
  readonly requests: Map<string, unknown>;
  /** What was taken from the tape for a step that has not ended yet. */
  readonly taken: Map<string, RecordedOutcome>;
  readonly notRecorded: Set<string>;
  /** What all outputs and requests come to, in characters of JSON. */
  size: number;
}

const mib = 1_048_576;
/** What a run may have by default: a replay is none the larger. */
const oneOutputMax = 10 * mib;
const allOutputsMax = 50 * mib;

/** Nothing is recorded of a node that would have reached the outside. */
export class NotRecorded extends Error {}

export const notRecordedCode = "NOT_RECORDED";

/** Begins a step; what it would have done outside, its recording says. */
export function beginStep(replaying: Replaying, step: Step): Promise<Begun> {
  return orFailure(replaying, step, async () => {
    const begun = await perform(replaying, step);
    if ("wait" in begun) return { status: "waiting", wait: begun.wait };
    if ("items" in begun) {
      count(replaying, jsonText(begun.items));
      // One after the other, so that each iteration takes what is recorded of it.
      return { ...begun, concurrency: 1 };
    }
    return completed(replaying, begun);
  });
}

/** What a step that waited comes to. */
export function resumeStep(replaying: Replaying, step: Step, wait: WaitRequest, wake: Wake | null): Promise<Outcome> {
  return orFailure(replaying, step, async () => {
    if (wake === null) throw new NotRecorded();
    const entry = replaying.taken.get(step.id);
    const isTimeout = wake.by === "time";
    if (entry !== undefined && "error" in entry && !isTimeout) throw asFailure(entry.error);
    const resume = nodeDefinition(step.node.node.type)?.resume;
    if (resume === undefined) throw new NodeFailure("UNKNOWN_NODE_TYPE", "There is no node of this type that waits");
    return completed(replaying, resume(wait, wake));
  });
}

export function joinStep(replaying: Replaying, step: Step, outcome: Outcome): Promise<Outcome> {
  return orFailure(replaying, step, async () => {
    if (outcome.status === "failed") throw new NodeFailure(outcome.error.code, outcome.error.message);
    if (outcome.status === "completed") count(replaying, outcome.output);
    return outcome;
  });
}

/** What woke a step, by its recording; null when there is none. */
export function wakeOf({ tape, taken, nowMs }: Replaying, step: Step, { kind, until }: WaitRequest): Wake | null {
  const at = new Date(until ?? nowMs).toISOString();
  if (kind === "time") return { by: "time", at, value: null };
  const entry = taken.get(step.id) ?? tape.next(step.id);
  if (entry === null) return null;
  taken.set(step.id, entry);
  if ("error" in entry) return { by: entry.error.code === "WAIT_TIMEOUT" ? "time" : kind, at, value: null };
  const { output } = entry;
  if (kind === "execution") return { by: kind, at, value: { status: "completed", ...asMembers(output) } };
  const timedOutAt = memberOf(output, "timedOutAt");
  if (typeof timedOutAt === "string") return { by: "time", at: timedOutAt, value: null };
  const resumedAt = memberOf(output, "resumedAt");
  const isResumed = typeof resumedAt === "string";
  return { by: kind, at: isResumed ? resumedAt : new Date(nowMs).toISOString(), value: asMembers(output) };
}

function asMembers(output: unknown): object {
  return typeof output === "object" && output !== null ? output : {};
}

function asFailure({ code, message }: { readonly code: string; readonly message: string }): NodeFailure {
  return new NodeFailure(code, message);
}

async function orFailure<T extends Begun>(
  replaying: Replaying,
  step: Step,
  work: () => Promise<T>,
): Promise<T | Outcome> {
  const { node, ends } = step.node;
  try {
    return await work();
  } catch (thrown) {
    if (replaying.signal.aborted) return cancelled;
    if (thrown instanceof NotRecorded) {
      replaying.notRecorded.add(node.id);
      const message = `"${node.id}" would reach the outside, and nothing is recorded of it`;
      return { status: "failed", error: { code: notRecordedCode, message } };
    }
    if (!(thrown instanceof NodeFailure)) throw thrown;
    const { code, message } = thrown;
    if (node.config.onError !== "continue" || ends) return { status: "failed", error: { code, message } };
    return { status: "completed", output: jsonText({ error: { message, code } }), handle: null };
  }
}

function completed(replaying: Replaying, result: NodeResult): Outcome {
  const { output, handle = null, answer } = result;
  const text = jsonText(output);
  count(replaying, text);
  return { status: "completed", output: text, handle, ...(answer === undefined ? {} : { answer }) };
}

function count(replaying: Replaying, { json }: JsonText): void {
  replaying.size += json.length;
  if (json.length > oneOutputMax) throw tooLarge();
  requireRoom(replaying);
}

/** Keeps what a step would have sent, in the place of what it would have sent before. */
export function keepRequest(replaying: Replaying, { id }: Step, request: unknown): void {
  const { requests } = replaying;
  if (requests.has(id)) replaying.size -= jsonCharacters(requests.get(id), allOutputsMax);
  replaying.size += jsonCharacters(request, allOutputsMax);
  requests.delete(id);
  requireRoom(replaying);
  requests.set(id, request);
}

function requireRoom({ size }: Replaying): void {
  if (size > allOutputsMax) throw tooLarge();
}

function tooLarge(): NodeFailure {
  return new NodeFailure("OUTPUT_TOO_LARGE", "The outputs and requests of the run are larger than any run's may be");
}

async function perform(replaying: Replaying, step: Step): Promise<NodeBegun> {
  const { node } = step.node;
  // It does nothing: what came to it goes on, and its config is not looked at.
  if (node.disabled === true) {
    const handle = nodeTypes.traits(node.type)?.handles.plain;
    const { input } = scopeOf(replaying.run, step, {}, resumeUrlOf);
    return handle === undefined ? { output: input } : { output: input, handle };
  }
  const [definition, schema] = [nodeDefinition(node.type), nodeConfigSchema(node.type)];
  if (definition === undefined || schema === undefined) {
    throw new NodeFailure("UNKNOWN_NODE_TYPE", `There is no node type "${node.type}"`);
  }
  const missing = definition.problem?.(node.config) ?? null;
  if (missing !== null) {
    throw new NodeFailure("INVALID_CONFIG", `${missing.path}: ${missing.message}`, { field: missing.path });
  }
  const plan = replaying.flow.plan(node);
  const scope = scopeOf(replaying.run, step, hiddenCredentials(plan), resumeUrlOf);
  const sandbox = fixedSandbox(replaying.sandbox, replaying.nowMs, step.id);
  const resolved = await resolveConfig(plan, scope, sandbox, replaying.signal);
  const parsed = schema.safeParse(resolved);
  if (!parsed.success) {
    const all = parsed.error.issues.slice(0, 20).map(({ path, message }) => `${formatPath(path)}: ${message}`);
    throw new NodeFailure("INVALID_CONFIG", all.join("; "));
  }
  if (isShown(definition)) keepRequest(replaying, step, shownConfig(resolved));
  const attempt: { last: RecordedOutcome | null } = { last: null };
  const context = replayContext(replaying, step, scope, sandbox, (entry) => {
    attempt.last = entry;
  });
  return await asRecorded(attempt, () => definition.run(parsed.data, context));
}

/** The node decides by what it is told whether it tries again; what it comes to in the end is what is recorded. */
async function asRecorded(
  attempt: { readonly last: RecordedOutcome | null },
  run: () => NodeBegun | Promise<NodeBegun>,
): Promise<NodeBegun> {
  try {
    const begun = await run();
    const { last } = attempt;
    return "output" in begun && last !== null && "output" in last ? { ...begun, output: last.output } : begun;
  } catch (thrown) {
    const { last } = attempt;
    if (thrown instanceof NodeFailure && last !== null && "error" in last) throw asFailure(last.error);
    throw thrown;
  }
}

/** Whether what a node of this type was asked to do is seen from outside: its output need not show that. */
function isShown({ effect, family }: NodeDefinition): boolean {
  return effect !== "none" || family === "output";
}

/** A config without what no run reads. */
function shownConfig({ notes: _, ...config }: JsonObject): JsonObject {
  return config;
}

/** Like an address that a run sends out, and of no use. */
function resumeUrlOf(executionId: string, stepId: string): string {
  return `https://millrace.invalid/api/v1/resume/${executionId}.${encodeURIComponent(stepId)}`;
}
