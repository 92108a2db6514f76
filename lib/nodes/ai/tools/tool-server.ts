import { isJsonObject, nestingDepth } from "#lib/engine/json.ts";
import { type NodeContext, type NodeCredential, NodeFailure } from "#lib/nodes/define.ts";
import { answerTool } from "../steps.ts";
import type { AgentTool, McpServer } from "./tool-config.ts";
import { toolsMax } from "./tool-config.ts";

/** An MCP server, and the credential it gets. */
export interface ToolServer {
  readonly url: string;
  readonly credential: NodeCredential | undefined;
  readonly timeoutMs: number;
}

const timeoutMs = 60_000;
const schemaCharactersMax = 65_536;
const levelsMax = 64;
const descriptionCharactersMax = 5_000;

export async function toolServer({ url, credential }: McpServer, context: NodeContext): Promise<ToolServer> {
  return { url, credential: credential === undefined ? undefined : await context.credential(credential), timeoutMs };
}

/** The tools of a server, as described to a model. Throws NodeFailure. */
export async function toolsOfServer(server: McpServer, context: NodeContext): Promise<AgentTool[]> {
  const offered = await context.listTools(await toolServer(server, context), toolsMax);
  return offered.flatMap(({ name, description, input }) => {
    const isFit =
      isJsonObject(input) &&
      JSON.stringify(input).length <= schemaCharactersMax &&
      nestingDepth(input, levelsMax) <= levelsMax;
    const toolName = name.replace(/[^\w-]/g, "_").slice(0, 64);
    if (!isFit || toolName === "" || toolName === answerTool) {
      context.log(
        "warning",
        `The tool ${name.slice(0, 100)} of ${new URL(server.url).host} is left out: it cannot be offered to a model`,
      );
      return [];
    }
    const does = { kind: "mcp" as const, ...server, tool: name };
    return [{ name: toolName, description: description.slice(0, descriptionCharactersMax), input, does }];
  });
}

/** A server's answer to a call: structured data if there is any, otherwise its text. */
export function outputOfCall(result: unknown): unknown {
  const { content, structuredContent, isError } = isJsonObject(result) ? result : {};
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) => (isJsonObject(part) && typeof part.text === "string" ? [part.text] : []));
  const text = texts.join("\n");
  if (isError === true) throw new NodeFailure("TOOL_FAILED", text === "" ? "The tool failed" : text);
  if (structuredContent !== undefined) return structuredContent;
  return texts.length === parts.length ? text : parts;
}
