import { depthOf } from "#lib/engine/flow-body.ts";
import { idempotencyKey } from "#lib/engine/idempotency-key.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import type { Step } from "#lib/engine/step.ts";
import type { ConfigPlan } from "#lib/expressions/expressions.ts";
import { type NodeContext, NodeFailure, type OutboundAnswer, type OutboundRequest } from "#lib/nodes/define.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import type { Scope } from "#lib/scope/scope.ts";
import { memberOf, type RecordedOutcome } from "./recording.ts";
import { keepRequest, NotRecorded, type Replaying } from "./replay-node.ts";

/** Stands in for every secret, as in a stored run. */
const secretMask = "•••";

/** The id of what a replay would have started. */
const startedId = `exec_${"0".repeat(26)}`;

/** The world as a node of a replay sees it: the tape, and a clock that stands still. `onTaken` is told what was played. */
export function replayContext(
  replaying: Replaying,
  step: Step,
  scope: Scope,
  sandbox: Pick<Sandbox, "run">,
  onTaken: (entry: RecordedOutcome) => void,
): NodeContext {
  const { node } = step.node;
  const { tape, run, signal, nowMs } = replaying;
  return {
    input: scope.input,
    inputs: () => scope.inputs(),
    leads: (handle) => step.node.outgoing.some((edge) => edge.handle === handle),
    executionId: run.id,
    stepId: step.id,
    depth: depthOf(run.trigger.headers),
    idempotencyKey: async () => idempotencyKey(run.id, step.id),
    signal,
    log: () => {},
    retried: () => {},
    request: async (request) => {
      keepRequest(replaying, step, shownRequest(request));
      const entry = tape.next(step.id);
      if (entry === null) throw new NotRecorded();
      onTaken(entry);
      return answerOf(entry);
    },
    startFlow: async () => {
      const entry = tape.next(step.id);
      if (entry === null) {
        // One that is waited for may be given up before its end.
        if (node.config.wait === false) throw new NotRecorded();
        return startedId;
      }
      if ("error" in entry && entry.error.code !== "SUB_FLOW_FAILED") {
        throw new NodeFailure(entry.error.code, entry.error.message);
      }
      onTaken(entry);
      replaying.taken.set(step.id, entry);
      const id = "output" in entry ? memberOf(entry.output, "executionId") : undefined;
      return typeof id === "string" ? id : startedId;
    },
    credential: async (name) => ({ name, type: "bearer", data: { token: secretMask }, allowedHosts: [] }),
    evaluate: (code, timeoutMs) => evaluate(replaying, step, scope, sandbox, code, timeoutMs),
    now: () => nowMs,
    sleep: async () => {},
    random: () => 0.5,
  };
}

function shownRequest({ method, url, headers, body }: OutboundRequest): JsonObject {
  return { method, url, headers, body: body === undefined ? null : readBody(headers["content-type"], body) };
}

/** JSON is shown as what it says, so that a difference has a path. */
function readBody(contentType: string | undefined, body: string): JsonObject[string] {
  if (!/\bjson\b/.test(contentType ?? "")) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** What the node is told, to decide whether it tries again. Throws what the guarded door would have thrown. */
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

/** The credentials that a node's expressions name, with a mask in the place of every value. */
export function hiddenCredentials(plan: ConfigPlan): Record<string, unknown> {
  const hidden: Record<string, unknown> = {};
  for (const { expression } of [...plan.expressions, ...plan.code]) {
    for (const name of expression.credentialNames ?? []) hidden[name] ??= secretMask;
    for (const [, plain, quoted, field] of expression.source.matchAll(credentialField)) {
      const name = plain ?? quoted ?? "";
      const known = hidden[name];
      hidden[name] = { ...(isJsonObject(known) ? known : {}), [field ?? ""]: secretMask };
    }
  }
  return hidden;
}

/** `$credentials.shop.token`: a credential whose fields are read is no bare secret. */
const credentialField = /\$credentials(?:\.(\w+)|\[["']([^"']+)["']\])\??\.(?!length\b)([a-zA-Z_]\w*)\b(?!\s*\()/g;

async function evaluate(
  { flow, signal, run }: Replaying,
  step: Step,
  scope: Scope,
  sandbox: Pick<Sandbox, "run">,
  code: string,
  timeoutMs: number,
): Promise<unknown> {
  const program = flow.plan(step.node.node).code.find(({ expression }) => expression.source === code)?.expression;
  if (program === undefined) throw new NodeFailure("CODE_FAILED", "this is not the node's code", { field: "code" });
  const { results } = await sandbox.run({
    scope: scope.json([program]),
    programs: [program],
    limits: { cpuMs: timeoutMs },
    owner: run.workspaceId,
    signal,
  });
  const [result] = results;
  if (result?.ok) return JSON.parse(result.json) as unknown;
  const { message = "the sandbox gave no answer", position = null } = result?.error ?? {};
  const line = position === null ? "" : ` (line ${code.slice(0, position).split("\n").length})`;
  throw new NodeFailure("CODE_FAILED", `code failed${line}: ${message}`, { field: "code" });
}
