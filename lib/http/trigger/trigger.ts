import { randomUUID } from "node:crypto";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { plainError, plainJson } from "#lib/http/envelope.ts";
import { type PlainAnswer, responseOf } from "#lib/http/plain-answer.ts";
import { timed } from "#lib/http/route.ts";
import { isId } from "#lib/platform/ids.ts";
import { completedAnswer, openToAllOrigins } from "./trigger-answer.ts";
import {
  type Authenticate,
  callOf,
  type IncomingCall,
  type ReadBody,
  readCall,
  readOnce,
  type TriggerCall,
} from "./trigger-call.ts";

/** A trigger URL's target. */
export interface FoundTrigger<Flow> {
  readonly flow: Flow;
  readonly trigger: FlowTrigger;
  readonly status: string;
}

/** How flows are found and started: provided by the runtime. */
export interface TriggerPort<Flow> {
  /** The cached flow, which may be stale; null if there is none. */
  recall(hookId: string): FoundTrigger<Flow> | null;
  find(hookId: string): Promise<FoundTrigger<Flow> | null>;
  readonly authenticate: Authenticate<Flow>;
  /**
   * Starts the run; `end` is missing if the caller does not wait, null or undefined if the run continues. Null if the
   * flow has changed since it was cached: nothing was started.
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
 * Answers a call to a trigger URL (docs/api.md, "Endpoints without a key"). Uses the cached flow first: if the flow has
 * changed since, nothing is stored and the call is retried with the current flow, and so is a call that was refused.
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
  try {
    if (!isId("hook", hookId)) throw notFound("Webhook");
    const body = readOnce(request);
    const known = port.recall(hookId);
    const early = known === null ? null : await attempt(port, known, request, body, headers);
    if (early?.wasLetThrough) return early.answer;
    for (let changes = 0; changes < changesMax; changes += 1) {
      const found = await port.find(hookId);
      if (found === null) throw notFound("Webhook");
      const attempted = await attempt(port, found, request, body, headers);
      if (attempted !== null) return attempted.answer;
    }
    throw new AppError("SERVICE_UNAVAILABLE", "The flow is being changed: try again shortly", { retryAfterSeconds: 1 });
  } catch (error) {
    return plainError(error, headers);
  }
}

interface Attempted {
  readonly answer: PlainAnswer;
  /** The run was started, or may have been: the call must not be retried. */
  readonly wasLetThrough: boolean;
}

/** The answer by the flow as it was found; null when it is not so any more, and nothing was started. */
async function attempt<Flow>(
  port: TriggerPort<Flow>,
  found: FoundTrigger<Flow>,
  request: IncomingCall,
  body: ReadBody,
  headers: Record<string, string>,
): Promise<Attempted | null> {
  const { trigger, status, flow } = found;
  let wasLetThrough = false;
  let executionId: string | undefined;
  try {
    if (trigger.type !== "webhook") throw notFound("Webhook");
    const preflight = answerWithoutRun(request, String(trigger.config.method ?? "POST"), headers);
    if (preflight !== null) return { answer: preflight, wasLetThrough };
    const call = await readCall(port.authenticate, found, request, body);
    if (status === "inactive") {
      throw new AppError("INVALID_STATUS", "The flow is inactive: activate it to run it", {
        details: { currentStatus: "inactive" },
      });
    }
    wasLetThrough = true;
    const run = await port.start(flow, call);
    if (run === null) return null;
    executionId = run.executionId;
    return { answer: runAnswer(run, { ...headers, "x-execution-id": executionId }), wasLetThrough };
  } catch (error) {
    const challenge = challenges[String(trigger.config.authentication)];
    const more = {
      ...(executionId === undefined ? {} : { "x-execution-id": executionId }),
      ...(isRefusal(error) && challenge !== undefined ? { "www-authenticate": challenge } : {}),
    };
    return { answer: plainError(error, { ...headers, ...more }), wasLetThrough };
  }
}

/** What a refused caller is asked for, by the trigger's authentication. */
const challenges: Readonly<Record<string, string>> = {
  basic: 'Basic realm="trigger", charset="UTF-8"',
  bearer: 'Bearer realm="trigger"',
  header: 'ApiKey realm="trigger"',
  hmac: 'Signature realm="trigger"',
};

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === "UNAUTHORIZED";
}

/** CORS preflight, HEAD (which starts nothing), and methods that the trigger does not accept. */
function answerWithoutRun(request: IncomingCall, method: string, headers: Record<string, string>): PlainAnswer | null {
  const allow = [method, ...(method === "GET" ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === method) return null;
  if (request.method === "HEAD" && method === "GET") return { status: 200, headers, body: null };
  if (request.method !== "OPTIONS") {
    const error = new AppError("METHOD_NOT_ALLOWED", `This trigger takes ${method}, not ${request.method}`);
    return plainError(error, { ...headers, allow });
  }
  const told = {
    allow,
    "access-control-allow-methods": method,
    "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "*",
    "access-control-max-age": "86400",
  };
  return { status: 204, headers: { ...headers, ...told }, body: null };
}

function runAnswer({ executionId, end }: StartedRun, headers: Record<string, string>): PlainAnswer {
  if (end === null) return plainJson(202, { executionId, status: "running" }, headers);
  if (end.status === "completed" && end.output !== null) return completedAnswer(end.output, end.answer, headers);
  if (end.refusal !== null) throw new AppError("CONCURRENCY_LIMIT", end.refusal, { details: { executionId } });
  const reason = end.error?.message ?? `the run was ${end.status}`;
  throw new AppError("EXECUTION_FAILED", `The flow failed: ${reason}`, { details: { executionId } });
}
