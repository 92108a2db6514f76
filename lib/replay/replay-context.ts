import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { idempotencyKey, type Step } from "#lib/engine/step.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import type { OutboundAnswer, OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import type { Scope } from "#lib/scope/scope.ts";
import { secretMask } from "./hidden-credentials.ts";
import { isOutcome, memberOf, nextOf, type RecordedOutcome, startedId, takeOf } from "./recording.ts";
import { NotRecorded, type Replaying } from "./replay-node.ts";
import { keepRequest } from "./replay-size.ts";
import { runSubFlow } from "./sub-flow.ts";

interface ReplayedStep {
  readonly replaying: Replaying;
  readonly step: Step;
  /** Called with each recording used. */
  readonly onTaken: (entry: RecordedOutcome) => void;
}

/** The context of a node in a replay: answers come from the recording, and the clock stands still. */
export function replayContext(replayed: ReplayedStep, scope: Scope, sandbox: Pick<Sandbox, "run">): NodeContext {
  const { replaying, step } = replayed;
  const { run, signal, nowMs } = replaying;
  return {
    input: () => scope.input,
    inputs: () => scope.inputs(),
    isConnected: (handle) => step.node.outgoing.some((edge) => edge.handle === handle),
    workspaceId: run.workspaceId,
    executionId: run.id,
    stepId: step.id,
    // A node that takes steps is replayed as a whole.
    place: null,
    depth: replaying.depth,
    idempotencyKey: async () => idempotencyKey(run.id, step.id),
    signal,
    log: () => {},
    retried: () => {},
    ...recordedRequests(replayed),
    ...recordedActs(replayed),
    startFlow: (flowId, data) => startRecordedFlow(replayed, flowId, data),
    credential: async (name) => ({ name, type: "bearer", data: { token: secretMask }, allowedHosts: [] }),
    evaluate: (code, timeoutMs) => evaluateCode(replaying, step, { code, timeoutMs }, scope, sandbox),
    now: () => nowMs,
    sleep: async () => {},
    random: () => 0.5,
  };
}

/** What goes out over HTTP or as mail: kept, and answered from the recording. */
function recordedRequests({ replaying, step, onTaken }: ReplayedStep) {
  const { injected } = replaying;
  const takeNext = (): RecordedOutcome => {
    const entry = nextOf(replaying, step);
    if (entry === null) throw new NotRecorded();
    onTaken(entry);
    return entry;
  };
  const answerTo = async (request: OutboundRequest): Promise<OutboundAnswer> => {
    keepRequest(replaying, step, await shownRequest(request));
    return injected?.answer(step, request) ?? answerOf(takeNext());
  };
  return {
    request: async (request) => answerTo(request),
    open: async (request) => {
      const { status, headers, body } = await answerTo(request);
      return { status, headers, body: inOnePart(body) };
    },
    // The recorded output replaces their result. A call of an imported service is answered from its recording and never
    // gets here.
    operation: () => Promise.reject(new NotRecorded()),
    sendMail: async ({ credential, ...mail }) => {
      const { key, timeoutMs: _, ...request } = mail;
      injected?.sends(step, key);
      keepRequest(replaying, step, shownMail({ ...request, credential: credential?.name ?? null }));
      const entry = takeNext();
      if ("error" in entry) throw new NodeFailure(entry.error.code, entry.error.message);
      // The recorded output takes its place.
      return { messageId: "", accepted: [], rejected: [] };
    },
  } satisfies Partial<NodeContext>;
}

/** What a node does elsewhere, in the database for instance: the recording replaces its result. */
function recordedActs({ replaying, step, onTaken }: ReplayedStep) {
  const { injected } = replaying;
  const act = () => {
    const entry = takeOf(replaying, step);
    if (entry === null || "recordings" in entry) {
      if (injected === null) throw new NotRecorded();
      injected.assumed.add(step.node.node.id);
      return;
    }
    onTaken(entry);
    if ("error" in entry) throw new NodeFailure(entry.error.code, entry.error.message);
  };
  return {
    evaluateOver: async () => {
      act();
      return [];
    },
    files: recordedFiles(act),
    sql: async ({ credential, timeoutMs: _, ...request }) => {
      keepRequest(replaying, step, { ...request, credential: credential.name });
      act();
      // The recorded output takes its place.
      return { rows: [], rowCount: 0 };
    },
    generate: async ({ credential, timeoutMs: _, retry: __, ...request }) => {
      keepRequest(replaying, step, { ...request, credential: credential.name });
      act();
      return { parts: [], usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 }, finishReason: "stop" };
    },
    listTools: async () => {
      act();
      return [];
    },
    callTool: async () => act(),
    table: async () => {
      act();
      return { rows: [], count: 0 };
    },
    turn: async () => {
      // Nothing waits in a replay, but a refusal may be recorded.
      const entry = takeOf(replaying, step);
      if (entry === null && replaying.tape.hasFailed?.(step.id)) throw new NotRecorded();
      if (entry !== null && "error" in entry) throw new NodeFailure(entry.error.code, entry.error.message);
      return { isTaken: true };
    },
    areNew: async (keys) => {
      act();
      return keys.map(() => true);
    },
  } satisfies Partial<NodeContext>;
}

/** Takes the sub-flow's recorded end, or replays it too; its id is the recorded one's. */
async function startRecordedFlow(
  { replaying, step, onTaken }: ReplayedStep,
  flowId: string,
  data: unknown,
): Promise<string> {
  const { run, injected } = replaying;
  // Its data may be the node's input, which no config shows.
  if (replaying.leavesOpen) keepRequest(replaying, step, { flowId, data });
  const recorded = injected?.start(step) ?? takeOf(replaying, step);
  const isThrough = recorded === null ? replaying.isDeep : !isOutcome(recorded);
  if (isThrough && replaying.isDeep) {
    const recordings = recorded !== null && !isOutcome(recorded) ? recorded.recordings : {};
    const through = runSubFlow(replaying, step, flowId, data, recordings);
    replaying.taken.set(step.id, await (recorded === null ? orAssumed(replaying, step, through) : through));
    return startedId;
  }
  const entry = recorded === null || !isOutcome(recorded) ? injected?.assume(step, run.startedAt) : recorded;
  if (entry === undefined || entry === null) {
    // A sub-flow that is waited for may be abandoned before its end.
    if (step.node.node.config.wait === false) throw new NotRecorded();
    return startedId;
  }
  if ("error" in entry && entry.error.code !== "SUB_FLOW_FAILED") {
    throw new NodeFailure(entry.error.code, entry.error.message);
  }
  onTaken(entry);
  replaying.taken.set(step.id, entry);
  const id = "output" in entry ? memberOf(entry.output, "executionId") : undefined;
  return typeof id === "string" ? id : startedId;
}

/** Stands in for a file that the node would have created; it cannot be read. */
const standIn = { file: "", name: "", contentType: "", size: 0, sha256: "" };

/** Files are outside of a replay: the node's recording replaces what it does with them. */
function recordedFiles(act: () => void): NodeContext["files"] {
  const noFile = async () => {
    act();
    return standIn;
  };
  return {
    // A multipart form is shown with the reference; the answer to its request is recorded.
    find: async (reference) => ({ ...standIn, ...(isJsonObject(reference) ? reference : {}) }),
    open: () => inOnePart(Buffer.alloc(0)),
    withoutSecrets: async (value) => value,
    textWithoutSecrets: (bytes) => bytes,
    save: async () => standIn,
    named: noFile,
    list: async () => [await noFile()],
    delete: async () => {
      act();
      return 0;
    },
    sign: () => "",
  };
}

async function* inOnePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function orAssumed(
  replaying: Replaying,
  step: Step,
  through: Promise<RecordedOutcome>,
): Promise<RecordedOutcome> {
  try {
    return await through;
  } catch (thrown) {
    if (!(thrown instanceof NotRecorded) || replaying.injected === null) throw thrown;
    return replaying.injected.assume(step, replaying.run.startedAt);
  }
}

/** A mail as it would be sent, without its undefined parts. */
function shownMail(mail: object): JsonObject {
  return JSON.parse(JSON.stringify(mail)) as JsonObject;
}

async function shownRequest({ method, url, headers, body }: OutboundRequest): Promise<JsonObject> {
  return { method, url, headers, body: await shownBody(headers["content-type"], body) };
}

/** The text parts of a streamed body. */
async function shownBody(contentType: string | undefined, body: OutboundRequest["body"]): Promise<JsonObject[string]> {
  if (body === undefined) return null;
  return typeof body === "string" ? await readBody(contentType, body) : body.text;
}

/** JSON is shown parsed, so that a difference has a path. */
async function readBody(contentType: string | undefined, body: string): Promise<JsonObject[string]> {
  if (!/\bjson\b/.test(contentType ?? "")) return body;
  try {
    return (await parseOwnJson(body)) as JsonObject[string];
  } catch {
    return body;
  }
}

/** The answer that the node gets, which may decide about a retry. Throws what outbound HTTP would have thrown. */
function answerOf(entry: RecordedOutcome): OutboundAnswer {
  if ("output" in entry) {
    const status = memberOf(entry.output, "status");
    const headers = memberOf(entry.output, "headers");
    const texts = isJsonObject(headers) ? Object.entries(headers).map(([name, value]) => [name, String(value)]) : [];
    return { status: typeof status === "number" ? status : 200, headers: Object.fromEntries(texts), body: nothing };
  }
  const { code, message } = entry.error;
  const status = code === "HTTP_STATUS" ? /\banswered (\d{3})\b/.exec(message)?.[1] : undefined;
  if (status !== undefined) return { status: Number(status), headers: {}, body: nothing };
  throw Object.assign(new Error(message), { name: "OutboundError", code });
}

const nothing = Buffer.alloc(0);

async function evaluateCode(
  { flow, signal, run }: Replaying,
  step: Step,
  { code, timeoutMs }: { readonly code: string; readonly timeoutMs: number },
  scope: Scope,
  sandbox: Pick<Sandbox, "run">,
): Promise<unknown> {
  const program = flow.plan(step.node.node).code.find(({ expression }) => expression.source === code)?.expression;
  if (program === undefined) throw new NodeFailure("CODE_FAILED", "this is not the node's code", { field: "code" });
  const { results } = await sandbox.run({
    scope: await scope.json([program]),
    programs: [program],
    limits: { cpuMs: timeoutMs },
    owner: run.workspaceId,
    signal,
  });
  const [result] = results;
  if (result?.ok) return await parseOwnJson(result.json);
  const { message = "the sandbox gave no answer", position = null } = result?.error ?? {};
  const line = position === null ? "" : ` (line ${code.slice(0, position).split("\n").length})`;
  throw new NodeFailure("CODE_FAILED", `code failed${line}: ${message}`, { field: "code" });
}
