import { randomUUID } from "node:crypto";
import { type FlowTrigger, isCalledTrigger } from "#lib/engine/flow.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { type PlainAnswer, plainError, plainJson, responseOf } from "#lib/http/envelope.ts";
import type { ReceivedFile } from "#lib/http/files/receive-upload.ts";
import { timed } from "#lib/http/route.ts";
import { isId } from "#lib/platform/ids.ts";
import { CallBody, type SavedFile } from "./call-body.ts";
import { FormCall } from "./form-trigger.ts";
import { completedAnswer, openToAllOrigins } from "./trigger-answer.ts";
import { type Authenticate, callOf, type IncomingCall, readCall, type TriggerCall } from "./trigger-call.ts";

/** A trigger URL's target. */
export interface FoundTrigger<Flow> {
  readonly flow: Flow;
  readonly trigger: FlowTrigger;
  /** The flow's name. */
  readonly name: string;
  readonly status: string;
}

/** The port that finds and starts flows, implemented by the runtime. */
export interface TriggerPort<Flow> {
  /** The cached flow, which may be stale; null if there is none. */
  recall(hookId: string): FoundTrigger<Flow> | null;
  find(hookId: string): Promise<FoundTrigger<Flow> | null>;
  readonly authenticate: Authenticate<Flow>;
  /** Stores a call's file. Throws PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE. */
  saveFile(flow: Flow, file: ReceivedFile): Promise<SavedFile>;
  /** Deletes files of a call that started nothing. */
  dropFiles(flow: Flow, ids: readonly string[]): Promise<void>;
  /**
   * Starts the run. `end` is missing if the caller does not wait, null or undefined if the run continues. Null if
   * nothing was started because the flow has changed since it was cached.
   */
  start(flow: Flow, call: TriggerCall): Promise<StartedRun | null>;
}

export interface StartedRun {
  readonly executionId: string;
  readonly end: Parameters<typeof completedAnswer> extends [infer Output, infer Form, unknown]
    ? {
        status: string;
        output: Output | null;
        answer: Form;
        error: { message: string } | null;
        refusal: string | null;
      } | null
    : never;
}

/** How often a flow may change between being found and being started. */
const changesMax = 5;

/**
 * Answers a call to a trigger URL (docs/api.md, "Endpoints without a key"). Uses the cached flow first. If the flow has
 * changed since, or the call is refused, nothing is stored and the call is retried with the current flow.
 */
export function answerTrigger<Flow>(
  port: TriggerPort<Flow>,
  hookId: string,
  request: IncomingCall,
): Promise<PlainAnswer> {
  return timed("/webhooks/:hookId", (call: IncomingCall) => answerCall(port, hookId, call))(request);
}

/** The same for a request received by Next. */
export async function answerTriggerRequest<Flow>(
  port: TriggerPort<Flow>,
  hookId: string,
  request: Request,
): Promise<Response> {
  return responseOf(await answerTrigger(port, hookId, callOf(request)));
}

async function answerCall<Flow>(port: TriggerPort<Flow>, hookId: string, request: IncomingCall): Promise<PlainAnswer> {
  const headers = { ...openToAllOrigins, "x-request-id": randomUUID() };
  const body = new CallBody(request);
  try {
    if (!isId("hook", hookId)) throw notFound("Webhook");
    const known = port.recall(hookId);
    const early = known === null ? null : await attempt(port, known, request, body, headers);
    if (early?.wasLetThrough) return early.answer;
    let last = known;
    for (let changes = 0; changes < changesMax; changes += 1) {
      const found = await port.find(hookId);
      if (found === null) throw notFound("Webhook");
      last = found;
      const attempted = await attempt(port, found, request, body, headers);
      if (attempted === null) continue;
      if (!attempted.wasLetThrough && body.saved.length > 0) await port.dropFiles(found.flow, body.saved);
      return attempted.answer;
    }
    if (last !== null && body.saved.length > 0) await port.dropFiles(last.flow, body.saved);
    throw new AppError("SERVICE_UNAVAILABLE", "The flow is being changed: try again shortly", { retryAfterSeconds: 1 });
  } catch (error) {
    return plainError(error, headers);
  } finally {
    body.release();
  }
}

interface Attempted {
  readonly answer: PlainAnswer;
  /** True once the run may have been started: the call must then not be retried. */
  readonly wasLetThrough: boolean;
}

/** Answers with the given flow; null if nothing was started because it is stale. */
async function attempt<Flow>(
  port: TriggerPort<Flow>,
  found: FoundTrigger<Flow>,
  request: IncomingCall,
  body: CallBody,
  headers: Record<string, string>,
): Promise<Attempted | null> {
  const { trigger, status, flow } = found;
  let wasLetThrough = false;
  let executionId: string | undefined;
  let form: FormCall | null = null;
  try {
    if (!isCalledTrigger(trigger.type)) throw notFound("Webhook");
    const isForm = trigger.type === "form";
    const isShown = isForm && (request.method === "GET" || request.method === "HEAD");
    const methods = isForm ? formMethods : [String(trigger.config.method ?? "POST")];
    const preflight = isShown ? null : answerWithoutRun(request, methods, headers);
    if (preflight !== null) return { answer: preflight, wasLetThrough };
    form = isForm ? new FormCall(trigger, found.name, request, headers) : null;
    form?.requireOwnPage();
    const save = (file: ReceivedFile) => port.saveFile(flow, file);
    const call = await readCall(port.authenticate, found, request, isShown ? noBody() : body, save);
    if (status === "inactive") {
      throw new AppError("INVALID_STATUS", "The flow is inactive: activate it to run it", {
        details: { currentStatus: "inactive" },
      });
    }
    if (form !== null && isShown) return { answer: form.page(), wasLetThrough };
    const answers = form?.read(await call.body());
    const started = form === null ? call : { ...call, body: () => answers };
    wasLetThrough = true;
    const run = await port.start(flow, started);
    if (run === null) return null;
    executionId = run.executionId;
    const answer = form?.answer(run) ?? runAnswer(run, { ...headers, "x-execution-id": executionId });
    return { answer, wasLetThrough };
  } catch (error) {
    const challenge = challenges[String(trigger.config.authentication)];
    const extraHeaders = {
      ...(executionId === undefined ? {} : { "x-execution-id": executionId }),
      ...(isRefusal(error) && challenge !== undefined ? { "www-authenticate": challenge } : {}),
    };
    const allHeaders = { ...headers, ...extraHeaders };
    return { answer: form?.refusal(error, allHeaders) ?? plainError(error, allHeaders), wasLetThrough };
  }
}

/** The `WWW-Authenticate` challenge, by the trigger's authentication. */
const challenges: Readonly<Record<string, string>> = {
  basic: 'Basic realm="trigger", charset="UTF-8"',
  bearer: 'Bearer realm="trigger"',
  header: 'ApiKey realm="trigger"',
  hmac: 'Signature realm="trigger"',
};

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === "UNAUTHORIZED";
}

/** A form is shown by GET and submitted by POST. */
const formMethods = ["GET", "POST"];
const noBody = () => new CallBody(callOf(new Request("http://localhost/")));

/** CORS preflight, HEAD (which starts nothing), and methods that the trigger does not accept. */
function answerWithoutRun(
  request: IncomingCall,
  methods: readonly string[],
  headers: Record<string, string>,
): PlainAnswer | null {
  if (methods.includes(request.method)) return null;
  const hasHead = methods.includes("GET");
  const allow = [...methods, ...(hasHead ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === "HEAD" && hasHead) return { status: 200, headers, body: null };
  if (request.method !== "OPTIONS") {
    const error = new AppError(
      "METHOD_NOT_ALLOWED",
      `This trigger takes ${methods.join(" and ")}, not ${request.method}`,
    );
    return plainError(error, { ...headers, allow });
  }
  const corsHeaders = {
    allow,
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "*",
    "access-control-max-age": "86400",
  };
  return { status: 204, headers: { ...headers, ...corsHeaders }, body: null };
}

function runAnswer({ executionId, end }: StartedRun, headers: Record<string, string>): PlainAnswer {
  if (end === null) return plainJson(202, { executionId, status: "running" }, headers);
  if (end.status === "completed" && end.output !== null) return completedAnswer(end.output, end.answer, headers);
  if (end.refusal !== null) throw new AppError("CONCURRENCY_LIMIT", end.refusal, { details: { executionId } });
  const reason = end.error?.message ?? `the run was ${end.status}`;
  throw new AppError("EXECUTION_FAILED", `The flow failed: ${reason}`, { details: { executionId } });
}
