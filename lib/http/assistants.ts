import { randomUUID } from "node:crypto";
import type { Actor } from "#lib/auth/actor.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { AppError, notFound } from "#lib/errors.ts";
import type { FlowRun, FlowTool, Port } from "#lib/mcp/port.ts";
import { answerOverHttp } from "#lib/mcp/server.ts";
import { env } from "#lib/platform/env.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { authenticate, isSameOrigin } from "./authenticate.ts";
import { errorAnswer, toAppError } from "./envelope.ts";
import { callOperation, type Operation } from "./operation.ts";
import { readJsonObject } from "./read-body.ts";
import { type Caller, callerOf, charge, type RouteHandler, timed } from "./route.ts";

/** What the tools use: the API's operations by name, and the offered flows. */
export interface Offered {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly listFlows: (actor: Actor, page: { after: string; most: number }) => Promise<readonly FlowTool[]>;
  readonly findFlow: (actor: Actor, toolName: string) => Promise<FlowTool | null>;
  readonly runFlow: (actor: Actor, flowId: string, body: JsonObject, caller: Caller) => Promise<FlowRun>;
}

/**
 * Answers an MCP client. The caller, the quota and the body are checked as for the API, in the same order. Each
 * operation that a tool calls after the first counts as another request.
 */
export function answerAssistants(offered: Offered): RouteHandler {
  return timed("/mcp", async (request) => {
    const id = randomUUID();
    const headers: Record<string, string> = { "x-request-id": id };
    try {
      const caller = callerOf(request);
      const actor = { ...(await authenticate(request)), request: { id, ip: caller.ip } };
      requireOwnOrigin(request);
      await charge(actor, headers);
      const body = await readJsonObject(request, env().maxBodyBytes);
      const answered = await answerOverHttp(request, body, portOf(offered, actor, caller));
      const all = new Headers(answered.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      all.set("cache-control", "no-store");
      return new Response(answered.body, { status: answered.status, headers: all });
    } catch (error) {
      return errorAnswer(error, headers);
    }
  });
}

/** Refuses pages of other sites, which browsers name in `Origin`, whatever credentials they have. */
function requireOwnOrigin(request: Request): void {
  if (request.headers.get("origin") === null || isSameOrigin(request)) return;
  throw new AppError("FORBIDDEN", "Pages of other sites may not call this", { details: { required: "same-origin" } });
}

function portOf(offered: Offered, actor: Actor & { readonly request: { readonly id: string } }, caller: Caller): Port {
  let isFirst = true;
  const counted = async <Result>(perform: () => Promise<Result>): Promise<Result> => {
    if (!isFirst) await charge(actor, {});
    isFirst = false;
    return await perform();
  };
  return {
    fault: (thrown) => toAppError(thrown, actor.request.id),
    pause: yieldTurn,
    allows: (scope) => actor.scopes.has(scope),
    call: (name, given, charactersMax) =>
      counted(async () => {
        const operation = offered.operations[name];
        if (operation === undefined) throw notFound("Operation");
        return await callOperation(operation, given, { actor, caller }, charactersMax);
      }),
    listFlows: (after, limit) => counted(() => offered.listFlows(actor, { after, most: limit })),
    findFlow: (toolName) => counted(() => offered.findFlow(actor, toolName)),
    runFlow: (flowId, body) => offered.runFlow(actor, flowId, body, caller),
  };
}
