import { isJsonObject, type JsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { idempotencyKey } from "#lib/engine/step.ts";
import { type NodeContext, NodeFailure } from "#lib/nodes/define.ts";
import { httpRequest } from "#lib/nodes/http-request.ts";
import type { AgentTool, ToolAction } from "./tool-config.ts";
import { toolServer } from "./tool-server.ts";

type ActionOf<Kind extends ToolAction["kind"]> = Extract<ToolAction, { readonly kind: Kind }>;

/** A tool's result, or the execution whose end it waits for. */
export type Performed = { readonly output: unknown } | { readonly executionId: string };

/** The maximum length of a call's result, which is recorded and resent to the model with every request. */
const outputCharactersMax = 200_000;

/** Truncates a tool's result for the model. */
export function cutOutput(output: unknown): unknown {
  if (jsonCharacters(output, outputCharactersMax) <= outputCharactersMax) return output;
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  const cut = text.slice(0, outputCharactersMax).toWellFormed();
  return `${cut}… (cut: ${text.length} characters)`;
}

/** Runs the tool that a model called. Failures are returned to the model, which may try something else. */
export async function performTool({ does }: AgentTool, input: unknown, context: NodeContext): Promise<Performed> {
  try {
    switch (does.kind) {
      case "flow":
        return { executionId: await context.startFlow(does.flowId, input) };
      case "table":
        return { output: await workOnTable(does, input, context) };
      case "http":
        return { output: await request(does, input, context) };
      case "mcp":
        return { output: await callServerTool(does, input, context) };
    }
  } catch (error) {
    // A stopped run fails as a whole.
    if (context.signal.aborted || !(error instanceof NodeFailure)) throw error;
    return { output: failureAsOutput(error) };
  }
}

export function failureAsOutput({ code, message }: { readonly code: string; readonly message: string }) {
  return { error: { code, message } };
}

const text = (value: unknown) => (typeof value === "string" ? value : undefined);
const number = (value: unknown) => (typeof value === "number" ? value : undefined);

async function workOnTable(
  { table, action }: ActionOf<"table">,
  input: unknown,
  context: NodeContext,
): Promise<unknown> {
  const { where, sort, limit, row, key, column, by } = isJsonObject(input) ? input : {};
  const { rows, count } = await context.table({
    ...{ action, table, where, row },
    ...{ sort: text(sort), limit: number(limit), key: text(key), column: text(column), by: number(by) },
  });
  return { rows, count };
}

async function callServerTool(does: ActionOf<"mcp">, input: unknown, context: NodeContext): Promise<unknown> {
  const server = await toolServer({ url: does.url, credential: does.credential }, context);
  return await context.callTool(server, does.tool, isJsonObject(input) ? input : {});
}

/** Values that are not in the URL go into the query or the body. */
async function request(
  { method, url, headers, credential }: ActionOf<"http">,
  input: unknown,
  context: NodeContext,
): Promise<unknown> {
  const left: JsonObject = { ...(isJsonObject(input) ? input : {}) };
  const address = url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left[name];
    delete left[name];
    if (typeof value === "string" && value !== "" && !/^\.\.?$/.test(value))
      return encodeURIComponent(value.toWellFormed());
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    throw new NodeFailure("BAD_URL", `The URL needs a value for ${name}`);
  });
  const hasBody = method !== "GET" && method !== "DELETE";
  // A different call is different work, even at the same step in a retry.
  const key =
    hasBody || method === "DELETE" ? { "idempotency-key": idempotencyKey(context.executionId, context.stepId) } : {};
  const parsed = httpRequest.config.safeParse({
    ...{ method, url: address, headers: { ...key, ...headers } },
    ...(credential === undefined ? {} : { credential }),
    ...(hasBody ? { body: left } : { query: Object.fromEntries(Object.entries(left).map(inQuery)) }),
  });
  if (!parsed.success) throw new NodeFailure("BAD_INPUT", parsed.error.issues[0]?.message ?? "The input does not fit");
  const begun = await httpRequest.run(parsed.data, context);
  if (!("output" in begun) || !isAnswer(begun.output)) throw new Error("a request has its answer at once");
  const { status, body } = begun.output;
  return { status, body };
}

/** A query has no objects: they are sent as JSON. */
function inQuery([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  const asScalar = (one: unknown) => (typeof one === "object" && one !== null ? JSON.stringify(one) : one);
  return [name, Array.isArray(value) ? value.map(asScalar) : asScalar(value)];
}

function isAnswer(output: unknown): output is { readonly status: number; readonly body: unknown } {
  return typeof output === "object" && output !== null && "status" in output && "body" in output;
}
