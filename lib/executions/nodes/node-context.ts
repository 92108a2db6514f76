import { depthHeader, depthMax, isTriggerUrl } from "#lib/engine/flow-body.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import type { Step } from "#lib/engine/step.ts";
import { fileAccess } from "#lib/executions/files/file-access.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { resumeUrl } from "#lib/executions/resume-token.ts";
import type { Run, RunSecret } from "#lib/executions/run.ts";
import { createMask, type SecretMask } from "#lib/executions/secrets/mask-secrets.ts";
import { useCredential } from "#lib/executions/secrets/run-credentials.ts";
import { triggerText } from "#lib/executions/store/new-execution.ts";
import { planConfig } from "#lib/expressions/expressions.ts";
import { jsonBytes } from "#lib/json/json-bytes.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import type { StepOfRun, TableAnswer, TableRequest } from "#lib/nodes/across-runs/table-access.ts";
import type { TurnAnswer, TurnRequest } from "#lib/nodes/across-runs/turn.ts";
import { type NodeContext, NodeFailure, type ResumeContext } from "#lib/nodes/define.ts";
import { hostFailure, mayBeSentTo } from "#lib/nodes/http-request/apply-credential.ts";
import type { OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import { nowMs, sleep } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { derivedId, isId } from "#lib/platform/ids.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { knownValues, resolveConfig } from "#lib/scope/resolve-config.ts";
import type { Scope } from "#lib/scope/scope.ts";
import { scopeOf } from "#lib/scope/scope.ts";
import { findStoredCall } from "#lib/service-imports/find-stored-call.ts";
import { askNodesModel } from "./ask-model.ts";
import { hidden, quoted } from "./node-output.ts";
import { keyToSend } from "./repeated-keys.ts";
import { runSql } from "./run-sql.ts";
import { sendMail } from "./send-mail.ts";
import { callServersTool, listServersTools } from "./use-tool-server.ts";

/**
 * Restricts a request: a header that holds a secret is dropped on a redirect to another origin, and a credential bound
 * to hosts is sent to no other. Throws NodeFailure.
 */
function guardRequest(run: Run, request: OutboundRequest): OutboundRequest {
  if (run.secrets.size === 0) return request;
  const holds = (text: string) => run.mask.text(text) !== text;
  const secretHeaders = Object.entries(request.headers).flatMap(([name, value]) => (holds(value) ? [name] : []));
  const followRedirects = request.followRedirects && !holdsBound(run, request);
  return { ...request, followRedirects, secretHeaders: [...(request.secretHeaders ?? []), ...secretHeaders] };
}

/** A request ready to send: restricted, and with the depth of nested flow calls. */
function readyRequest(run: Run, request: OutboundRequest): OutboundRequest {
  const depth = run.depth + 1;
  const headers = isTriggerUrl(request.url) ? { ...request.headers, [depthHeader]: String(depth) } : request.headers;
  return { ...guardRequest(run, request), headers };
}

/** Whether the body holds a secret bound to hosts, which a redirect could carry elsewhere. */
function holdsBound(run: Run, { url, headers, body = "" }: OutboundRequest): boolean {
  const { hostname, href } = new URL(url);
  const text = typeof body === "string" ? body : body.text;
  let isInBody = false;
  for (const [name, secret] of run.secrets) {
    const { allowedHosts } = secret;
    if (allowedHosts.length === 0) continue;
    const mask = maskOf(secret);
    const holds = (text: string) => mask.text(text) !== text;
    const isInUrl = [url, href].some((address) => mask.message(address) !== address);
    isInBody ||= holds(text);
    if (mayBeSentTo(allowedHosts, hostname)) continue;
    if (isInUrl || [text, ...Object.values(headers)].some(holds)) {
      throw new NodeFailure("CREDENTIAL_HOST", hostFailure(name, allowedHosts, hostname));
    }
  }
  return isInBody;
}

/** One per secret, for all requests of a run. */
const masks = new WeakMap<RunSecret, SecretMask>();

function maskOf(secret: RunSecret): SecretMask {
  const mask = masks.get(secret) ?? createMask(secret.values);
  masks.set(secret, mask);
  return mask;
}

/** The nodes' access to the outside. */
export interface Outside {
  readonly sandbox: Sandbox;
  readonly outbound: Outbound;
  /** Performs a step's request of a table. Throws NodeFailure. */
  readonly tables: (step: StepOfRun, request: TableRequest) => Promise<TableAnswer>;
  /** Takes a slot under one of the workspace's limits. Throws NodeFailure. */
  readonly turns: (workspaceId: string, request: TurnRequest) => Promise<TurnAnswer>;
  /** Marks keys as seen in a scope, and returns which were new. Throws NodeFailure. */
  readonly newKeys: (step: StepOfRun, request: KeysRequest) => Promise<readonly boolean[]>;
}

/** Keys that a node dedupes by. `scope`: which runs share the seen keys. */
export interface KeysRequest {
  readonly scope: string;
  readonly keys: readonly string[];
  readonly windowMs: number;
  /** The run that this one retries: keys that the original saw are new to its retry. */
  readonly originalId: string | null;
  /** Throws NodeFailure if the node's result is larger than the run may have. */
  readonly requireFit: (areNew: readonly boolean[]) => Promise<unknown>;
}

const loggedDataBytesMax = 65_536;

/** The context of a node in a run. */
export function nodeContext(run: Run, step: Step, scope: Scope, outside: Outside, resolved: JsonObject): NodeContext {
  const { id } = step.node.node;
  const { signal } = run.stop;
  const files = fileAccess(run.workspaceId, {
    withoutSecrets: (value) => hidden(run, value),
    textWithoutSecrets: (bytes, charset) => run.mask.bytes(bytes, charset),
  });
  const context: NodeContext = {
    input: () => scope.input,
    inputs: () => scope.inputs(),
    isConnected: (handle) => step.node.outgoing.some((edge) => edge.handle === handle),
    workspaceId: run.workspaceId,
    executionId: run.id,
    stepId: step.id,
    place: placeOf(step),
    depth: run.depth,
    idempotencyKey: () => keyToSend(run, step, resolved),
    signal,
    log: (level, message, data) => run.journal.log(level, id, run.mask.message(message), loggedData(run, data)),
    retried: () => run.journal.retried(step.id),
    request: (request) => outside.outbound.send(readyRequest(run, request)),
    open: (request) => outside.outbound.open(readyRequest(run, request), { maxBodyBytes: env().files.fileBytes }),
    files,
    operation: (service, id) => findStoredCall(run.workspaceId, service, id),
    evaluateOver: (source, values) => evaluateOver(run, source, values, outside.sandbox),
    startFlow: (flowId, data) => startSubFlow(run, step, flowId, data),
    table: async (request) => await outside.tables(stepOfRun(run, step), await hidden(run, request)),
    turn: (request) => takeTurn(run, outside, request),
    areNew: async (keys, windowMs, outputOf) => {
      // A working copy's seen keys do not count for the published flow.
      const scope = [run.flowId, id, ...(run.isOfDraft ? ["draft"] : [])].join(" ");
      const requireFit = async (areNew: readonly boolean[]) =>
        await run.sizes.check(outputOf(areNew), "collectedBytes");
      const request = { scope, keys: await hidden(run, keys), windowMs, originalId: run.originalId, requireFit };
      return await outside.newKeys(stepOfRun(run, step), request);
    },
    sendMail: async ({ credential, ...mail }) =>
      await sendMail(outside, { ...(await hidden(run, mail)), credential }, signal, files),
    sql: async ({ credential, ...request }) =>
      await runSql(
        { ...outside, workspaceId: run.workspaceId },
        { ...(await hidden(run, request)), credential },
        signal,
      ),
    credential: (name, refused) => useCredential(run, outside.outbound, name, refused),
    evaluate: (code, timeoutMs) => evaluateCode(run, step, { code, timeoutMs }, scope, outside.sandbox),
    now: () => nowMs(),
    sleep: (ms) => sleep(ms, signal),
    generate: (request) => askNodesModel(run, step.id, request, context),
    listTools: (server, limit) => listServersTools(server, limit, context),
    callTool: (server, name, input) => callServersTool(run, server, name, input, context),
    random: () => Math.random(),
  };
  return context;
}

/** The position of a step within a node that takes steps. */
export function placeOf({ frame: { iteration } }: Step): NodeContext["place"] {
  if (iteration === null) return null;
  const { index, item, earlier = [] } = iteration;
  return { index, item: item.value, earlier: earlier.map(({ value }) => value) };
}

/** The context of a node that was woken. */
export function resumeContext(run: Run, step: Step, outside: Outside): ResumeContext {
  return {
    now: () => nowMs(),
    turn: (request) => takeTurn(run, outside, request),
    input: () => passedOn(run, step),
  };
}

/** A node's input, for one that passes it on. */
export async function passedOn(run: Run, step: Step): Promise<unknown> {
  const scope = scopeOf(run, step, {}, resumeUrl);
  await scope.ready([], true);
  return scope.input;
}

async function takeTurn(run: Run, { turns }: Outside, request: TurnRequest): Promise<TurnAnswer> {
  return await turns(run.workspaceId, await hidden(run, request));
}

function stepOfRun(run: Run, step: Step): StepOfRun {
  return {
    workspaceId: run.workspaceId,
    executionId: run.id,
    stepId: step.id,
    fence: run.fence,
    depth: run.depth,
    // The node's output has the first row twice.
    requireFit: async (answer) => await run.sizes.check({ row: answer.rows[0], ...answer }, "oneBytes"),
  };
}

async function evaluateOver(run: Run, source: string, values: Readonly<Record<string, unknown>>, sandbox: Sandbox) {
  const plan = planConfig({ value: source }, () => "expression");
  return (await resolveConfig(plan, knownValues(run.workspaceId, values), sandbox, run.stop.signal)).value;
}

interface NodeCode {
  readonly code: string;
  readonly timeoutMs: number;
}

async function evaluateCode(run: Run, step: Step, { code, timeoutMs }: NodeCode, scope: Scope, sandbox: Sandbox) {
  const { node } = step.node;
  const program = run.version.plan(node).code.find(({ expression }) => expression.written === code)?.expression;
  if (program === undefined) throw new NodeFailure("CODE_FAILED", "this is not the node's code", { field: "code" });
  const answer = await sandbox.run({
    scope: await scope.json([program]),
    programs: [program],
    limits: { cpuMs: timeoutMs },
    owner: run.workspaceId,
    signal: run.stop.signal,
  });
  for (const { level, message } of answer.logs) {
    const masked = message.endsWith("…") ? run.mask.parts(message) : run.mask.text(message);
    run.journal.log(level, node.id, masked, null);
  }
  const [result] = answer.results;
  if (result?.ok) return await parseOwnJson(result.json);
  const { message = "the sandbox gave no answer", position = null } = result?.error ?? {};
  const line = position === null ? "" : ` (line ${code.slice(0, position).split("\n").length})`;
  throw new NodeFailure("CODE_FAILED", `code failed${line}: ${message}`, { field: "code" });
}

function loggedData(run: Run, data: unknown): string | null {
  if (data === undefined) return null;
  // Measured first: masking never makes data longer.
  if (jsonBytes(data, loggedDataBytesMax) <= loggedDataBytesMax) return JSON.stringify(run.mask.value(data)) ?? "null";
  return JSON.stringify(`${quoted(run, data, 1_000)}… (cut: more than ${loggedDataBytesMax} bytes)`);
}

/** The id of the execution that a step starts: always the same one for the same step. */
export function subFlowExecutionId(run: Pick<Run, "id" | "startedAt">, stepId: string): string {
  return derivedId("execution", new Date(run.startedAt), `${run.id} ${stepId}`);
}

/**
 * Starts another flow of the workspace as its own execution; returns its id. The id is derived from the step, so that a
 * run that resumes after a crash finds the execution instead of starting another. Throws NodeFailure: FLOW_NOT_FOUND,
 * also for another workspace's flow; SUB_FLOW_TOO_DEEP; QUEUE_FULL.
 */
async function startSubFlow(run: Run, step: Step, flowId: string, data: unknown): Promise<string> {
  const depth = run.depth + 1;
  if (depth > depthMax) {
    const message = `Flows call one another too deeply: at most ${depthMax} deep`;
    throw new NodeFailure("SUB_FLOW_TOO_DEEP", message, { field: "flowId" });
  }
  const where = { id: flowId, workspaceId: run.workspaceId };
  const flow = isId("flow", flowId) ? await database().flow.findFirst({ where }) : null;
  if (flow === null) throw new NodeFailure("FLOW_NOT_FOUND", `There is no flow "${flowId}"`, { field: "flowId" });
  await run.sizes.check(data, "collectedBytes");
  const id = subFlowExecutionId(run, step.id);
  const trigger = await triggerText({
    body: await hidden(run, data),
    headers: { [depthHeader]: String(depth) },
    query: {},
    method: "POST",
  });
  const request = {
    id,
    triggerType: "manual",
    trigger,
    source: run.isOfDraft ? ("draft-sub-flow" as const) : ("sub-flow" as const),
    ip: null,
    userAgent: null,
    metadata: { parentExecutionId: run.id, parentNodeId: step.node.node.id },
  };
  try {
    await runSignals().start(flow, request);
  } catch (error) {
    // Compares the code: another bundle's copy of the class may have been thrown.
    if (!(error instanceof Error && "code" in error && error.code === "SERVICE_UNAVAILABLE")) throw error;
    // The process that started it may have died before this one took over.
    if ((await database().execution.findUnique({ where: { id }, select: { id: true } })) === null)
      throw new NodeFailure("QUEUE_FULL", error.message, { cause: error });
  }
  return id;
}
