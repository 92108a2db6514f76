import { randomUUID } from "node:crypto";
import { isMadeKey } from "#lib/auth/api-key-format.ts";
import type { FlowTrigger } from "#lib/engine/flow.ts";
import { depthMax, depthOf } from "#lib/engine/flow-depth.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { env } from "#lib/platform/env.ts";
import { isId } from "#lib/platform/ids.ts";
import { errorAnswer, jsonAnswer } from "./envelope.ts";
import type { CallHeaders, IncomingCall } from "./incoming-call.ts";
import { readBytes } from "./read-body.ts";
import { completedAnswer, openToAllOrigins } from "./trigger-answer.ts";
import { triggerBody, valuesByName } from "./trigger-body.ts";

/** What a trigger URL stands for, and how its flow is started: given by the runtime. */
export interface TriggerPort<Flow> {
  find(hookId: string): Promise<{ flow: Flow; trigger: FlowTrigger; status: string } | null>;
  /** Checks `config.authentication`; gives the names of the headers that showed a secret. Throws UNAUTHORIZED. */
  authenticate(flow: Flow, trigger: FlowTrigger, request: IncomingCall, rawBody: Buffer): Promise<readonly string[]>;
  /** Starts the run; `end` is missing when the caller does not wait, null or undefined when the run goes on. */
  start(flow: Flow, call: TriggerCall): Promise<StartedRun>;
}

export interface TriggerCall {
  readonly body: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  readonly method: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly respondAtOnce: boolean;
}

export interface StartedRun {
  readonly executionId: string;
  readonly end: Parameters<typeof completedAnswer> extends [infer Output, infer Form, unknown]
    ? { status: string; output: Output | null; answer: Form; error: { message: string } | null } | null
    : never;
}

/** Answers a call to a trigger URL (contract, section 10). */
export async function answerTrigger<Flow>(
  port: TriggerPort<Flow>,
  hookId: string,
  request: IncomingCall,
): Promise<Response> {
  const requestId = randomUUID();
  const headers = { ...openToAllOrigins, "x-request-id": requestId };
  let executionId: string | undefined;
  let challenge: string | undefined;
  try {
    const found = isId("hook", hookId) ? await port.find(hookId) : null;
    if (found === null || found.trigger.type !== "webhook") throw notFound("Webhook");
    const method = String(found.trigger.config.method ?? "POST");
    challenge = challenges[String(found.trigger.config.authentication)];
    const preflight = answerWithoutRun(request, method, headers);
    if (preflight !== null) return preflight;
    const call = await readCall(port, found, request);
    if (found.status === "inactive") {
      throw new AppError("INVALID_STATUS", "The flow is inactive: activate it to run it", {
        details: { currentStatus: "inactive" },
      });
    }
    const run = await port.start(found.flow, call);
    executionId = run.executionId;
    return runAnswer(run, { ...headers, "x-execution-id": executionId });
  } catch (error) {
    const more = {
      ...(executionId === undefined ? {} : { "x-execution-id": executionId }),
      ...(isRefusal(error) && challenge !== undefined ? { "www-authenticate": challenge } : {}),
    };
    return errorAnswer(error, { ...headers, ...more });
  }
}

/** What a caller who is refused is told to show, by the trigger's authentication. */
const challenges: Readonly<Record<string, string>> = {
  basic: 'Basic realm="trigger", charset="UTF-8"',
  bearer: 'Bearer realm="trigger"',
  header: 'ApiKey realm="trigger"',
  hmac: 'Signature realm="trigger"',
};

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === "UNAUTHORIZED";
}

/** CORS preflight, HEAD (which starts nothing), and a method that the trigger does not take. */
function answerWithoutRun(request: IncomingCall, method: string, headers: Record<string, string>): Response | null {
  const allow = [method, ...(method === "GET" ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === method) return null;
  if (request.method === "HEAD" && method === "GET") return new Response(null, { status: 200, headers });
  if (request.method !== "OPTIONS") {
    const error = new AppError("METHOD_NOT_ALLOWED", `This trigger takes ${method}, not ${request.method}`);
    return errorAnswer(error, { ...headers, allow });
  }
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      allow,
      "access-control-allow-methods": method,
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "*",
      "access-control-max-age": "86400",
    },
  });
}

async function readCall<Flow>(
  port: TriggerPort<Flow>,
  { flow, trigger }: { flow: Flow; trigger: FlowTrigger },
  request: IncomingCall,
): Promise<TriggerCall> {
  const authentication = trigger.config.authentication ?? "none";
  // A signature is over the body; every other check comes before anything of the body is read.
  const isOverBody = authentication === "hmac";
  const isChecked = authentication !== "none";
  const early = isChecked && !isOverBody ? await port.authenticate(flow, trigger, request, Buffer.alloc(0)) : [];
  const bytes = await readBytes(request, env().maxBodyBytes);
  const late = isOverBody ? await port.authenticate(flow, trigger, request, bytes) : [];
  const headers = passedHeaders(request.headers, [...early, ...late]);
  if (depthOf(headers) > depthMax) {
    throw new AppError("VALIDATION_ERROR", "Flows call one another too deeply", {
      details: { depth: `at most ${depthMax} flows may call one another` },
    });
  }
  return {
    body: triggerBody(bytes, request.headers.get("content-type")),
    headers,
    query: valuesByName(new URL(request.url).searchParams),
    method: request.method,
    ip: headers["x-forwarded-for"]?.split(",")[0]?.trim() ?? null,
    userAgent: headers["user-agent"] ?? null,
    respondAtOnce:
      trigger.config.respond === "immediately" || /\brespond-async\b/i.test(request.headers.get("prefer") ?? ""),
  };
}

/**
 * The request's headers, without what signs people in to this service: a flow has no business with it. Headers that
 * showed a credential's secret are there, and hidden: what starts a run is stored and told.
 */
function passedHeaders(headers: CallHeaders, secretHeaders: readonly string[]): Record<string, string> {
  const passed = Object.fromEntries(headers);
  for (const name of secretHeaders) if (passed[name] !== undefined) passed[name] = "•••";
  if (/next-auth\.|authjs\./.test(passed.cookie ?? "")) delete passed.cookie;
  const bearer = /^bearer +(\S+)$/i.exec(passed.authorization ?? "")?.[1];
  if (bearer !== undefined && isOwnKey(bearer)) delete passed.authorization;
  return passed;
}

/** Whether it looks like a key that this service made, or is the one that its operator chose. */
function isOwnKey(bearer: string): boolean {
  return isMadeKey(bearer) || bearer === env().bootstrap?.apiKey;
}

function runAnswer({ executionId, end }: StartedRun, headers: Record<string, string>): Response {
  if (end === null) return jsonAnswer(202, { executionId, status: "running" }, headers);
  if (end.status === "completed" && end.output !== null) return completedAnswer(end.output, end.answer, headers);
  const reason = end.error?.message ?? `the run was ${end.status}`;
  throw new AppError("EXECUTION_FAILED", `The flow failed: ${reason}`, { details: { executionId } });
}
