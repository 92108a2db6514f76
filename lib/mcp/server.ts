import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { inputProblem } from "#lib/engine/offers/flow-input.ts";
import { ownToolPrefix, toolNamePattern } from "#lib/engine/offers/tool-name.ts";
import { flowTools } from "./flow-tools.ts";
import type { FlowTool, Port } from "./port.ts";
import { runTools } from "./run-tools.ts";
import { annotationsOf, type BuilderTool, failure, flowResult, refusalResult } from "./tool.ts";

const builderTools: readonly BuilderTool[] = [...flowTools, ...runTools];
/** Offered flows per page; MCP clients request the next pages themselves. */
const flowsOfPage = 50;

const instructions = [
  "Millrace runs flows: a trigger, nodes and edges. Tools whose names begin with millrace_ build and fix flows; every other tool runs a flow of the workspace.",
  "To build one: list the node types, read those that you use, check the flow, create it as a draft, make tests, run them. Nodes are {id, type, name, config}; edges are {source, target, sourceHandle?}, where sourceHandle is one of the source's handles. A node without an edge into it starts at once.",
  "Strings in a config may hold expressions in JavaScript: {{ $trigger.body.total }}, {{ $nodes.<id>.output }}, {{ $vars.name }}, {{ $credentials.<name> }}. Secrets belong in credentials, which people store; you never see them.",
  "You change drafts and working copies. Publishing and activating are for people: tell them what is ready.",
].join("\n\n");

/**
 * An MCP server for one caller, with any transport. `message`: the parsed message that it answers, whose arguments are
 * complete: the library leaves out one named `__proto__`.
 */
function assistantsServer(port: Port, message: JsonObject): Server {
  const server = new Server(
    { name: "millrace", title: "Millrace", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", async ({ params }) => {
    try {
      return await listTools(port, params?.cursor);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, port.fault(error).message);
    }
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const sent = isJsonObject(message.params) ? message.params.arguments : undefined;
    return await callTool(port, params.name, (sent ?? {}) as JsonObject);
  });
  return server;
}

/**
 * Lists what the caller may use: first the builder tools, then the flows, page by page. The cursor is the last flow's
 * tool name.
 */
async function listTools(port: Port, cursor?: string): Promise<{ tools: Tool[]; nextCursor?: string }> {
  if (cursor !== undefined && !toolNamePattern.test(cursor)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor");
  }
  const flows = port.allows("flows:execute") ? await port.listFlows(cursor ?? "", flowsOfPage + 1) : [];
  const page = flows.slice(0, flowsOfPage);
  const tools = [
    ...(cursor === undefined ? builderTools.filter(isAllowed(port)).map(builderToolAsTool) : []),
    ...page.map(flowToolAsTool),
  ];
  const last = flows.length > flowsOfPage ? page.at(-1)?.toolName : undefined;
  return { tools, ...(last === undefined ? {} : { nextCursor: last }) };
}

const isAllowed = (port: Port) => (tool: BuilderTool) => tool.scopes.every((scope) => port.allows(scope));

function builderToolAsTool(tool: BuilderTool): Tool {
  const { name, title, description } = tool;
  return {
    name,
    title,
    description,
    inputSchema: tool.inputSchema() as Tool["inputSchema"],
    annotations: annotationsOf(tool),
  };
}

function flowToolAsTool({ toolName, name, description, input }: FlowTool): Tool {
  return { name: toolName, title: name, description, inputSchema: input as Tool["inputSchema"] };
}

async function callTool(port: Port, name: string, given: JsonObject): Promise<CallToolResult> {
  try {
    if (!isJsonObject(given)) return failure("VALIDATION_ERROR: The arguments must be an object");
    const own = builderTools.find((tool) => tool.name === name);
    if (own !== undefined) return await own.perform(given, port);
    const isFlow = toolNamePattern.test(name) && !name.startsWith(ownToolPrefix) && port.allows("flows:execute");
    const flow = isFlow ? await port.findFlow(name) : null;
    if (flow === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool");
    const problem = flow.isGiven ? await inputProblem(flow.input, given, port.pause) : null;
    if (problem !== null) {
      return failure(
        `VALIDATION_ERROR: The arguments are not valid\n- ${problem.path || "arguments"}: ${problem.message}`,
      );
    }
    return flowResult(await port.runFlow(flow.id, given));
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    return refusalResult(port.fault(error));
  }
}

/**
 * Answers one message over streamable HTTP, without a session: each request has its own server, which ends with the
 * answer. `body`: the parsed message.
 */
export async function answerOverHttp(request: Request, body: JsonObject, port: Port): Promise<Response> {
  // The server announces nothing, so there is nothing to subscribe to.
  const handler = createMcpHandler(() => assistantsServer(port, body), { maxSubscriptions: 0, keepAliveMs: 15_000 });
  return await handler.fetch(request, { parsedBody: body });
}
