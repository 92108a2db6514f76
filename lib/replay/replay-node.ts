import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath, isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { cancelled, jsonText, type NodeError, type Outcome } from "#lib/engine/outcome.ts";
import type { Begun } from "#lib/engine/run.ts";
import type { Step } from "#lib/engine/step.ts";
import type { Waiting, WaitRequest, Wake } from "#lib/engine/wait.ts";
import { itemTexts } from "#lib/json/item-texts.ts";
import { keptResult } from "#lib/json/large-output.ts";
import { type NodeBegun, type NodeDefinition, NodeFailure, type NodeResult } from "#lib/nodes/define.ts";
import { nodeConfigSchema, nodeDefinition, plainHandleOf, withTitlesOf } from "#lib/nodes/registry.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { resolveConfig } from "#lib/scope/resolve-config.ts";
import { type ScopedRun, scopeOf } from "#lib/scope/scope.ts";
import { fixedSandbox } from "./fixed-sandbox.ts";
import { hiddenCredentials } from "./hidden-credentials.ts";
import { type InjectedFault, ProcessDied } from "./injected-fault.ts";
import { type Replayable, readsFiles } from "./prepare.ts";
import { memberOf, nextOf, type Recorded, type RecordedOutcome } from "./recording.ts";
import { replayContext } from "./replay-context.ts";
import { count, countedText, credentialsOf, keepRequest, type LoopItems } from "./replay-size.ts";
import type { FindFlow } from "./sub-flow.ts";

/** Shared by all steps of a replay. */
export interface Replaying {
  readonly run: ScopedRun;
  /** How many flows called one another to start it. */
  readonly depth: number;
  readonly flow: Replayable;
  readonly nowMs: number;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly tape: Recorded;
  /** True: a step without a recording is left open, with everything that depends on it. False: it fails. */
  readonly leavesOpen: boolean;
  /** True: a failure ends neither the run nor a loop; only what comes after it is left out. */
  readonly continuesAfterFailure: boolean;
  /** What steps would have sent, by step id. */
  readonly requests: Map<string, unknown>;
  /** The items of loops. */
  readonly items: LoopItems;
  /** Recordings taken for steps that have not ended yet. */
  readonly taken: Map<string, RecordedOutcome>;
  readonly notRecorded: Set<string>;
  /** Steps that are left open. */
  readonly open: Set<string>;
  /** Every step, in the order in which they started. */
  readonly begun: Set<string>;
  /** The results of steps, in the order in which they ended. */
  readonly ended: Map<string, Outcome>;
  /** The failures of steps, including those that were caught. */
  readonly failures: Map<string, NodeError>;
  /** What the run and the sub-flows in it have used. */
  readonly used: { characters: number; subFlows: number; steps: number };
  /** Whether sub-flows are replayed too. */
  readonly isDeep: boolean;
  readonly findFlow: FindFlow;
  /** The ids of the sub-flows around this replay. */
  readonly chain: readonly string[];
  /** The fault to inject; null in a test. */
  readonly injected: InjectedFault | null;
  /** Ends the replay's process: steps in progress never end. */
  die: (death: ProcessDied) => void;
}

/** A node would have reached the outside without a recording. `node`: names it if it is in a sub-flow. */
export class NotRecorded extends Error {
  readonly node: string | null;

  constructor(node: string | null = null) {
    super("nothing is recorded");
    this.node = node;
  }
}

export const notRecordedCode = "NOT_RECORDED";

/** Starts a step; its recording replaces what it would have done outside. */
export function beginStep(replaying: Replaying, step: Step): Promise<Begun> {
  return orFailure(replaying, step, async () => {
    const begun = await perform(replaying, step);
    if ("wait" in begun) return { status: "waiting", wait: begun.wait };
    if ("items" in begun) {
      await countedText(replaying, begun.items);
      replaying.items.keep(step.id, begun.items);
      // Sequential, so that each iteration takes its own recording.
      return { ...begun, items: await itemTexts(begun.items), concurrency: 1 };
    }
    return await completed(replaying, begun);
  });
}

/** The result of a step that waited. */
export function resumeStep(
  replaying: Replaying,
  step: Step,
  wait: WaitRequest,
  wake: Wake | null,
): Promise<Outcome | Waiting> {
  return orFailure(replaying, step, async () => {
    if (wake === null) throw new NotRecorded();
    const entry = replaying.taken.get(step.id);
    const isTimeout = wake.by === "time";
    if (entry !== undefined && "error" in entry && !isTimeout) throw asFailure(entry.error);
    const resume = nodeDefinition(step.node.node.type)?.resume;
    if (resume === undefined) throw new NodeFailure("UNKNOWN_NODE_TYPE", "There is no node of this type that waits");
    const input = async () => scopeOf(replaying.run, step, {}, resumeUrlOf).input;
    const turn = async () => ({ isTaken: true }) as const;
    const begun = await resume(wait, wake, { now: () => replaying.nowMs, turn, input });
    return "wait" in begun ? { status: "waiting", wait: begun.wait } : await completed(replaying, begun);
  });
}

export function joinStep(replaying: Replaying, step: Step, outcome: Outcome): Promise<Outcome> {
  return orFailure(replaying, step, async () => {
    if (outcome.status === "failed") throw new NodeFailure(outcome.error.code, outcome.error.message);
    if (outcome.status !== "completed") return outcome;
    count(replaying, outcome.output);
    return { ...outcome, output: await keptResult(outcome.output) };
  });
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
    if (thrown instanceof ProcessDied) replaying.die(thrown);
    if (thrown instanceof NotRecorded) {
      replaying.notRecorded.add(node.id);
      if (replaying.leavesOpen) replaying.open.add(step.id);
      const message = `${thrown.node ?? `"${node.id}"`} would reach the outside, and nothing is recorded of it`;
      return { status: "failed", error: { code: notRecordedCode, message } };
    }
    if (!(thrown instanceof NodeFailure)) throw thrown;
    const { code } = thrown;
    const message = thrown.field === undefined ? thrown.message : withTitlesOf(node.type, thrown.message);
    replaying.failures.set(step.id, { code, message });
    if (replaying.continuesAfterFailure && !step.node.catches && !ends && node.config.onError !== "continue") {
      return { status: "completed", output: jsonText(null), handle: nowhere };
    }
    if (node.config.onError !== "continue" || ends) return { status: "failed", error: { code, message } };
    return { status: "completed", output: jsonText({ error: { message, code } }), handle: plainHandleOf(node.type) };
  }
}

/** A handle that no edge has. */
const nowhere = "\u0000";

async function completed(replaying: Replaying, result: NodeResult): Promise<Outcome> {
  const { output, handle = null, answer } = result;
  const text = await countedText(replaying, output);
  return { status: "completed", output: text, handle, ...(answer === undefined ? {} : { answer }) };
}

async function perform(replaying: Replaying, step: Step): Promise<NodeBegun> {
  const { node } = step.node;
  // A disabled node passes its input on, and its config is not checked.
  if (node.disabled === true) {
    const { input } = scopeOf(replaying.run, step, {}, resumeUrlOf);
    return { output: input, handle: plainHandleOf(node.type) };
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
  // File contents are not recorded: the node's own recording gives its result, and its request is the unresolved
  // config.
  if (readsFiles(plan)) {
    keepRequest(replaying, step, shownConfig(node.config));
    return outcomeOf(definition, node.config, recordedOf(replaying, step));
  }
  const sandbox = fixedSandbox(replaying.sandbox, replaying.nowMs, step.id);
  const resolved = await resolveConfig(plan, scope, sandbox, replaying.signal);
  const parsed = schema.safeParse(resolved, { reportInput: true });
  if (!parsed.success) {
    const all = parsed.error.issues.slice(0, 20).map((issue) => `${formatPath(issue.path)}: ${issueMessage(issue)}`);
    throw new NodeFailure("INVALID_CONFIG", all.join("; "), { field: formatPath(parsed.error.issues[0]?.path ?? []) });
  }
  const isUnrepeatable = definition.unrepeatable?.(node.config) === true;
  if (isUnrepeatable || isShown(definition)) {
    const takesInput = isUnrepeatable && definition.takesInput?.(node.config) === true;
    keepRequest(replaying, step, { ...shownConfig(resolved), ...(takesInput && { input: scope.input }) });
  } else if (replaying.leavesOpen && credentialsOf(replaying, step).length > 0) keepRequest(replaying, step, {});
  if (isUnrepeatable) return recordedOf(replaying, step);
  const attempt: { last: RecordedOutcome | null } = { last: null };
  const onTaken = (entry: RecordedOutcome) => {
    attempt.last = entry;
  };
  const context = replayContext({ replaying, step, onTaken }, scope, sandbox);
  return await asRecorded(attempt, replaying.leavesOpen, () => definition.run(parsed.data, context));
}

/** Adds what follows from an output: the handle that a decision takes, and the run's answer. */
function outcomeOf({ decidesBy, answers }: NodeDefinition, { status, headers }: JsonObject, result: NodeResult) {
  const kind =
    decidesBy === undefined ? undefined : (memberOf(result.output, "branch") ?? memberOf(result.output, "case"));
  const form = { status: typeof status === "number" ? status : 200, headers: textsOf(headers) };
  return { ...result, ...(typeof kind === "string" && { handle: kind }), ...(answers === true && { answer: form }) };
}

function textsOf(headers: unknown): Record<string, string> {
  if (!isJsonObject(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** The recorded result of a node that depends on random numbers or a secret. */
function recordedOf(replaying: Replaying, step: Step): NodeResult {
  const entry = nextOf(replaying, step);
  if (entry === null) throw new NotRecorded();
  if ("error" in entry) throw asFailure(entry.error);
  return { output: entry.output };
}

/**
 * The node decides from its answers whether to retry; its final result is the recorded one. `isStrict`: the output is
 * unknown if the node continues after a recorded failure.
 */
async function asRecorded(
  attempt: { readonly last: RecordedOutcome | null },
  isStrict: boolean,
  run: () => NodeBegun | Promise<NodeBegun>,
): Promise<NodeBegun> {
  try {
    const begun = await run();
    const { last } = attempt;
    if (isStrict && "output" in begun && last !== null && "error" in last) throw new NotRecorded();
    return "output" in begun && last !== null && "output" in last ? { ...begun, output: last.output } : begun;
  } catch (thrown) {
    const { last } = attempt;
    if (thrown instanceof NodeFailure && last !== null && "error" in last) throw asFailure(last.error);
    throw thrown;
  }
}

/** Whether what a node of this type is asked to do is visible outside, even if its output does not show it. */
export function isShown({ effect, family }: NodeDefinition): boolean {
  return effect !== "none" || family === "output";
}

/** A config without fields that no run reads. */
function shownConfig({ notes: _, ...config }: JsonObject): JsonObject {
  return config;
}

/** Looks like a run's resume URL, but is of no use. */
function resumeUrlOf(executionId: string, stepId: string): string {
  return `https://millrace.invalid/api/v1/resume/${executionId}.${encodeURIComponent(stepId)}`;
}
