import type { z } from "zod";
import { UnreadableCredential } from "#lib/credentials/open-credentials.ts";
import { toStorableText } from "#lib/engine/flow.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath, type JsonObject } from "#lib/engine/json.ts";
import {
  type Answer,
  cancelled,
  type JsonText,
  jsonText,
  type NodeError,
  type Outcome,
  restoredValue,
} from "#lib/engine/outcome.ts";
import type { Begun } from "#lib/engine/run.ts";
import type { Step } from "#lib/engine/step.ts";
import type { Waiting, WaitRequest, Wake } from "#lib/engine/wait.ts";
import { readFilesFor } from "#lib/executions/files/read-files.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import type { Run } from "#lib/executions/run.ts";
import { noMask } from "#lib/executions/secrets/mask-secrets.ts";
import { credentialValues, hideNamedSecrets } from "#lib/executions/secrets/run-credentials.ts";
import { checkAgainstStored, type OutputKind } from "#lib/executions/store/run-sizes.ts";
import { itemTexts } from "#lib/json/item-texts.ts";
import { jsonBytes } from "#lib/json/json-bytes.ts";
import { keptResult } from "#lib/json/large-output.ts";
import { type NodeBegun, NodeFailure, type NodeResult } from "#lib/nodes/define.ts";
import { nodeConfigSchema, nodeDefinition, plainHandleOf, withTitlesOf } from "#lib/nodes/registry.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { nextTurn, yieldAfter, yieldTurn } from "#lib/platform/turns.ts";
import { ExpressionFailure, resolveConfig } from "#lib/scope/resolve-config.ts";
import { scopeOf } from "#lib/scope/scope.ts";
import { nodeContext, type Outside, passedOn, resumeContext } from "./node-context.ts";
import {
  boundedJson,
  hidden,
  keptInputBytesMax,
  outputOf,
  quoted,
  requireShallow,
  smallOutputOf,
} from "./node-output.ts";

/**
 * Starts one node: resolves and parses its config, runs it, and turns the result into an outcome, a wait or a loop's
 * items. Secrets are masked here, so that later nodes see exactly what is stored, even after a crash.
 */
export async function runNode(run: Run, step: Step, outside: Outside): Promise<Begun> {
  try {
    return await hideSecrets(run, step, await perform(run, step, outside));
  } catch (thrown) {
    return failureOf(run, step, thrown);
  }
}

/** The outcome of a node that waited and was woken, or what it waits for next. */
export function resumeNode(
  run: Run,
  step: Step,
  wait: WaitRequest,
  wake: Wake,
  outside: Outside,
): Promise<Outcome | Waiting> {
  return orFailure(run, step, async () => {
    const { type } = step.node.node;
    const { resume, collects } = nodeDefinition(type) ?? {};
    if (resume === undefined) throw new NodeFailure("UNKNOWN_NODE_TYPE", `There is no node type "${type}" that waits`);
    await hideNamedSecrets(run);
    const begun = await resume(wait, wake, resumeContext(run, step, outside));
    if ("wait" in begun) return await waiting(run, step, begun.wait);
    return await completed(run, step, begun, collects ? "collectedBytes" : "oneBytes");
  });
}

/** The outcome of a loop, or of a node that takes steps, from its iterations' result. */
export function joinNode(run: Run, step: Step, outcome: Outcome): Promise<Outcome> {
  return orFailure(run, step, async () => {
    if (outcome.status === "failed") return failed(run, step, outcome.error);
    if (outcome.status !== "completed") return outcome;
    const { conclude } = nodeDefinition(step.node.node.type) ?? {};
    if (conclude === undefined) {
      run.sizes.take(step.id, outcome.output, "collectedBytes");
      return { ...outcome, output: await keptResult(outcome.output) };
    }
    const steps = await restoredValue(outcome.output);
    const output = conclude(Array.isArray(steps) ? steps : []);
    return await completed(run, step, { output }, "collectedBytes");
  });
}

/** Checks an outcome against what other processes have stored for the run in the meantime. */
export function recheckNode<T extends Begun>(run: Run, step: Step, begun: T): Promise<T | Outcome> {
  return orFailure(run, step, async () => {
    if (begun.status === "completed") await checkAgainstStored(run, begun.output);
    return begun;
  });
}

async function orFailure<T extends Begun>(run: Run, step: Step, work: () => Promise<T>): Promise<T | Outcome> {
  try {
    return await work();
  } catch (thrown) {
    return failureOf(run, step, thrown);
  }
}

function failureOf(run: Run, step: Step, thrown: unknown): Outcome {
  if (run.stop.signal.aborted) return cancelled;
  // Our own database is unavailable: not the node's failure, unlike another host's.
  if (!(thrown instanceof NodeFailure) && isUnavailable(thrown)) throw thrown;
  return failed(run, step, describeFailure(run, step.node.node.type, thrown));
}

function failed(run: Run, { node: { node, ends } }: Step, error: NodeError): Outcome {
  run.journal.log("error", node.id, error.message, null);
  // A node that ends the run fails on purpose: its error is not caught.
  if (node.config.onError !== "continue" || ends) return { status: "failed", error };
  const output = jsonText({ error: { message: error.message, code: error.code } });
  return { status: "completed", output, handle: plainHandleOf(node.type) };
}

/** What a node returned, and how large its output may be. */
interface Performed {
  readonly begun: NodeBegun;
  readonly kind: OutputKind;
}

function hideSecrets(run: Run, step: Step, { begun, kind }: Performed): Begun | Promise<Begun> {
  if ("wait" in begun) return waiting(run, step, begun.wait);
  return "items" in begun ? iterating(run, begun) : completed(run, step, begun, kind);
}

async function iterating(run: Run, begun: Extract<NodeBegun, { items: unknown }>): Promise<Begun> {
  await run.sizes.check(begun.items, "collectedBytes");
  const items = await itemTexts(await hidden(run, begun.items));
  run.sizes.takeItems(items);
  return { ...begun, items };
}

async function waiting(run: Run, step: Step, wait: WaitRequest): Promise<Waiting> {
  await run.sizes.check(wait.state, "collectedBytes");
  const state = await hidden(run, wait.state);
  await run.sizes.takeWait(step.id, state);
  return { status: "waiting", wait: { ...wait, state } };
}

/** Synchronous for small outputs, which most are. */
function completed(run: Run, step: Step, result: NodeResult, kind: OutputKind): Outcome | Promise<Outcome> {
  // Checked before the value is copied or serialized.
  const bytes = run.sizes.check(result.output, kind);
  const output = typeof bytes === "number" ? smallOutputOf(run, result.output, bytes) : null;
  return output === null ? completedInTurns(run, step, result, kind, bytes) : ended(run, step, result, kind, output);
}

async function completedInTurns(
  run: Run,
  step: Step,
  result: NodeResult,
  kind: OutputKind,
  counted: number | Promise<number>,
): Promise<Outcome> {
  const bytes = await counted;
  await yieldAfter(bytes);
  return ended(run, step, result, kind, await outputOf(run, result.output, bytes));
}

function ended(run: Run, step: Step, result: NodeResult, kind: OutputKind, output: JsonText): Outcome {
  const { handle = null, answer } = result;
  run.sizes.take(step.id, output, kind);
  return {
    status: "completed",
    output,
    handle,
    ...(answer === undefined ? {} : { answer: maskedAnswer(run, answer) }),
  };
}

async function perform(run: Run, step: Step, outside: Outside): Promise<Performed> {
  const turn = yieldTurn();
  if (turn !== undefined) await turn;
  const { type, disabled } = step.node.node;
  if (disabled === true) return await skipDisabled(run, step);
  const definition = nodeDefinition(type);
  const schema = nodeConfigSchema(type);
  if (definition === undefined || schema === undefined) {
    throw new NodeFailure("UNKNOWN_NODE_TYPE", `There is no node type "${type}"`);
  }
  const missing = definition.problem?.(step.node.node.config) ?? null;
  if (missing !== null) {
    throw new NodeFailure("INVALID_CONFIG", `${missing.path}: ${missing.message}`, { field: missing.path });
  }
  const plan = run.version.plan(step.node.node);
  const hiding = hideNamedSecrets(run);
  if (hiding !== undefined) await hiding;
  const credentials = credentialValues(run, plan.evaluated);
  const scope = scopeOf(run, step, credentials instanceof Promise ? await credentials : credentials, resumeUrl);
  const ready = scope.ready(plan.evaluated, definition.ignoresInput !== true);
  if (ready !== undefined) await ready;
  const files = readFilesFor(run, plan, scope, outside);
  scope.files = files instanceof Promise ? await files : files;
  const resolved = await resolveConfig(plan, scope, outside.sandbox, run.stop.signal);
  const next = yieldTurn();
  if (next !== undefined) await next;
  const keeping = plan.slots.length > 0 ? recordInput(run, step.id, resolved) : undefined;
  if (keeping !== undefined) await keeping;
  const parsed = schema.safeParse(resolved, { reportInput: true });
  if (!parsed.success) throw invalidConfig(run, parsed.error.issues, resolved);
  const begun = await definition.run(parsed.data, nodeContext(run, step, scope, outside, resolved));
  // A collected value may be passed on unchanged.
  const isCollected = definition.collects === true || ("output" in begun && scope.isInput(begun.output));
  return { begun, kind: isCollected ? "collectedBytes" : "oneBytes" };
}

/** A disabled node does nothing: its input is passed on. Its config may be unfinished, and is not checked. */
async function skipDisabled(run: Run, step: Step): Promise<Performed> {
  const { id, type } = step.node.node;
  await hideNamedSecrets(run);
  run.journal.log("info", id, "The node is disabled: its input was passed on", null);
  const output = await passedOn(run, step);
  return { begun: { output, handle: plainHandleOf(type) }, kind: "collectedBytes" };
}

function recordInput(run: Run, stepId: string, resolved: JsonObject): Promise<void> | undefined {
  // Measured first: masking never makes data longer.
  const bytes = jsonBytes(resolved, keptInputBytesMax);
  if (bytes > keptInputBytesMax) return checkUnkeptInput(resolved);
  const json = boundedJson("config", resolved, bytes);
  return typeof json === "string"
    ? keep(run, stepId, resolved, json)
    : json.then((written) => keep(run, stepId, resolved, written));
}

/**
 * Checks a config that is too large to keep. Yields around the check: merely listing a large object's keys takes tens
 * of milliseconds.
 */
async function checkUnkeptInput(resolved: JsonObject): Promise<void> {
  await nextTurn();
  await requireShallow("config", resolved);
  await nextTurn();
}

function keep(run: Run, stepId: string, resolved: JsonObject, json: string): undefined {
  if (!run.sizes.keepsInput(json)) return;
  run.journal.input(stepId, run.mask === noMask ? json : JSON.stringify(run.mask.value(resolved)));
}

const issuesReportedMax = 20;

function invalidConfig(run: Run, issues: readonly z.core.$ZodIssue[], resolved: JsonObject): NodeFailure {
  const all = issues.slice(0, issuesReportedMax).map((issue) => `${formatPath(issue.path)}: ${issueMessage(issue)}`);
  const [first] = issues;
  const field = first === undefined ? "" : formatPath(first.path);
  const found = first?.path.reduce<unknown>(
    (value, step) => (value as JsonObject | undefined)?.[String(step)],
    resolved,
  );
  const shown = quoted(run, found, 100);
  if (shown !== undefined) all[0] += ` (found ${shown})`;
  if (issues.length > issuesReportedMax) all.push(`and ${issues.length - issuesReportedMax} more`);
  return new NodeFailure("INVALID_CONFIG", all.join("; "), { field });
}

/** Masks the answer to a trigger URL's caller: it leaves the service too. */
function maskedAnswer(run: Run, answer: Answer): Answer {
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, run.mask.text(value)]);
  return { ...answer, headers: Object.fromEntries(headers) };
}

/** Failures with the sandbox's message, which may quote part of a secret. */
const quotes: ReadonlySet<string> = new Set(["EXPRESSION_FAILED", "CODE_FAILED"]);

/** Lists of runs have their errors' messages. */
const messageCharactersMax = 10_000;

function describeFailure(run: Run, type: string, thrown: unknown): NodeError {
  if (thrown instanceof UnreadableCredential) return { message: thrown.message, code: "UNREADABLE_CREDENTIAL" };
  if (!(thrown instanceof NodeFailure)) {
    const fields = run.mask.value(errorFields(thrown)) as Record<string, unknown>;
    logLine("error", "A node failed unexpectedly", { executionId: run.id, ...fields });
    return {
      message: "The node failed because of an internal error; the server's log has more",
      code: "INTERNAL_ERROR",
    };
  }
  const message = thrown.field === undefined ? thrown.message : withTitlesOf(type, thrown.message);
  const masked = quotes.has(thrown.code) ? run.mask.parts(message) : run.mask.message(message);
  return {
    message: toStorableText(
      masked.length > messageCharactersMax ? `${masked.slice(0, messageCharactersMax)}…` : masked,
    ),
    code: thrown.code,
    ...(thrown.field === undefined ? {} : { field: thrown.field }),
    ...(thrown instanceof ExpressionFailure ? thrown.details() : {}),
  };
}
