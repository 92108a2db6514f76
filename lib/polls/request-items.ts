import { withAccess } from "#lib/credentials/oauth/use-connection.ts";
import { openCredentials } from "#lib/credentials/open-credentials.ts";
import { depthHeader, isTriggerUrl } from "#lib/engine/flow-body.ts";
import { formatPath, type JsonObject } from "#lib/engine/json.ts";
import { createMask } from "#lib/executions/secrets/mask-secrets.ts";
import { secretValues } from "#lib/executions/secrets/run-credentials.ts";
import type { Poll, PollPlan } from "#lib/flows/polls/poll-trigger.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import { httpRequest } from "#lib/nodes/http-request.ts";
import { nodeConfigSchema } from "#lib/nodes/registry.ts";
import { nowMs, sleep } from "#lib/platform/clock.ts";
import type { Outbound } from "#lib/platform/outbound/outbound.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { knownValues, resolveConfig } from "#lib/scope/resolve-config.ts";
import { evaluateItems, jsonOf } from "./evaluate-items.ts";
import type { AnswerRoom, PolledItem } from "./items.ts";

/** A flow that polls. */
export interface PollingFlow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly variables: unknown;
}

/** A poll's context. */
export interface PollContext {
  readonly sandbox: Sandbox;
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  /** The same for the same poll. */
  readonly idempotencyKey: string;
  readonly answer: AnswerRoom;
}

type HttpPoll = Extract<Poll, { kind: "poll" }>;

/** Requests a poll's items. Throws NodeFailure, without secrets in its message. */
export async function requestItems(
  flow: PollingFlow,
  poll: HttpPoll,
  plan: PollPlan,
  context: PollContext,
): Promise<PolledItem[]> {
  const secrets: string[] = [];
  try {
    const scope = { $vars: flow.variables, $flow: { id: flow.id, name: flow.name } };
    const known = knownValues(flow.workspaceId, scope);
    const config = await resolveConfig(plan.request, known, context.sandbox, context.signal);
    const response = await masked(await sendRequest(config, requestContext(flow, context, secrets)), secrets);
    return await evaluateItems(poll, plan.items, { ...scope, $response: response }, flow.workspaceId, context);
  } catch (error) {
    if (!(error instanceof NodeFailure) || secrets.length === 0) throw error;
    throw new NodeFailure(error.code, createMask(secrets).message(error.message), { cause: error });
  }
}

/** Masks secrets in the answer: servers repeat what they were sent, and runs are shown. */
async function masked(response: unknown, secrets: readonly string[]): Promise<unknown> {
  if (secrets.length === 0) return response;
  return (await createMask(secrets).output({ json: await jsonOf(response), value: response })).value;
}

/** Sends the request with the node `http-request`. */
async function sendRequest(config: JsonObject, context: NodeContext): Promise<unknown> {
  const parsed = nodeConfigSchema(httpRequest.type)?.safeParse(config);
  if (parsed?.success !== true) {
    const [issue] = parsed?.error.issues ?? [];
    const where = issue === undefined ? "" : `${formatPath(issue.path)}: ${issue.message}`;
    throw new NodeFailure("INVALID_CONFIG", `request.${where}`);
  }
  const begun = await httpRequest.run(parsed.data as Parameters<typeof httpRequest.run>[0], context);
  if (!("output" in begun)) throw new Error("a request has its result at once");
  return begun.output;
}

function requestContext(
  flow: PollingFlow,
  { outbound, signal, idempotencyKey, answer }: PollContext,
  secrets: string[],
) {
  const nowhere = () => Promise.reject(new Error("a request needs no such thing"));
  const context: NodeContext = {
    input: () => null,
    inputs: () => [],
    isConnected: () => false,
    workspaceId: flow.workspaceId,
    executionId: flow.id,
    stepId: "poll",
    place: null,
    depth: 0,
    idempotencyKey: async () => idempotencyKey,
    signal,
    log: () => {},
    retried: () => {},
    request: async (request) => {
      // A flow that polls a trigger URL is one level above the flow that answers.
      const headers = isTriggerUrl(request.url) ? { ...request.headers, [depthHeader]: "1" } : request.headers;
      answer.release();
      const received = await outbound.send({ ...request, headers });
      await answer.hold(received.body.length);
      return received;
    },
    credential: async (name, refused) => {
      const [found] = await openCredentials(flow.workspaceId, [name]);
      if (found === undefined) throw new NodeFailure("CREDENTIAL_NOT_FOUND", `There is no credential "${name}"`);
      const credential = await withAccess(found, outbound, signal, refused);
      secrets.push(...secretValues(credential));
      return credential;
    },
    // Items come from parsed answers: a poll stores no files and follows no pages.
    open: nowhere,
    operation: nowhere,
    generate: nowhere,
    listTools: nowhere,
    callTool: nowhere,
    evaluateOver: nowhere,
    files: {
      find: nowhere,
      open: () => {
        throw new Error("a request needs no such thing");
      },
      withoutSecrets: nowhere,
      textWithoutSecrets: (bytes) => bytes,
      save: nowhere,
      named: nowhere,
      list: nowhere,
      delete: nowhere,
      sign: () => "",
    },
    startFlow: nowhere,
    sendMail: nowhere,
    sql: nowhere,
    table: nowhere,
    turn: nowhere,
    areNew: nowhere,
    evaluate: nowhere,
    now: nowMs,
    sleep: (ms) => {
      answer.release();
      return sleep(ms, signal);
    },
    random: Math.random,
  };
  return context;
}
