import { z } from "zod";
import type { JsonObject } from "#lib/engine/json.ts";
import { type TableAction, tableActions } from "#lib/nodes/across-runs/table-access.ts";
import { choiceMeta, credentialMeta, flowMeta, textMapField } from "#lib/nodes/config-fields.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { schemaField } from "../model-config.ts";
import type { ModelTool } from "../model-request.ts";
import { answerTool } from "../steps.ts";

export const toolsMax = 64;
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A tool: a flow, an action of a table, an HTTP operation, or all tools of an MCP server. */
export const toolConfig = z
  .object(
    {
      name: z
        .string("must be text")
        .regex(/^[A-Za-z][\w-]{0,63}$/, "must be up to 64 letters, digits, _ and -, the first a letter")
        .refine((name) => name !== answerTool, "is a name of the agent's own")
        .optional()
        .meta({
          title: "Name",
          description: "The name that the model uses. Not for an MCP server, whose tools have names.",
        }),
      description: z.string("must be text").max(5_000, "must have at most 5000 characters").optional().meta({
        title: "Description",
        description: "What it does, and when to use it: this is all that the model knows about it.",
      }),
      flowId: z
        .string("must be a flow's id")
        .min(1, "must not be empty")
        .optional()
        .meta(flowMeta({ title: "Flow", description: "A flow to run, with the model's arguments as its data." })),
      table: z
        .string("must be a table's name")
        .min(1, "must not be empty")
        .optional()
        .meta({ title: "Table", description: "A table's name or id." }),
      action: z
        .enum(tableActions, `must be one of ${tableActions.join(", ")}`)
        .optional()
        .meta(
          choiceMeta(
            { title: "Action", description: "What it does with the table's rows." },
            Object.fromEntries(tableActions.map((action) => [action, action])),
          ),
        ),
      method: z
        .enum(methods, `must be one of ${methods.join(", ")}`)
        .optional()
        .meta({ title: "Method", description: "Of an HTTP operation. Default: GET." }),
      url: z.string("must be text").max(2_000, "must have at most 2000 characters").optional().meta({
        title: "URL",
        description:
          "The URL of an HTTP operation, with {name} for each of the model's values; or, without a name, of an MCP server.",
      }),
      headers: textMapField({ title: "Headers", description: "Of an HTTP operation." }),
      credential: z
        .string("must be a credential's name")
        .optional()
        .meta(
          credentialMeta({ title: "Credential", description: "The credential for the operation or the MCP server." }),
        ),
      input: schemaField.optional().meta({
        format: "json",
        title: "Input",
        description: "A JSON Schema of an object: the model's arguments. Default for a flow or an operation: none.",
        type: "object",
      }),
    },
    "must be an object",
  )
  .superRefine((tool, context) => {
    const problem = problemOf(tool);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });

type Given = Readonly<Partial<Record<"name" | "flowId" | "table" | "action" | "url", unknown>>>;

function problemOf({ name, flowId, table, action, url }: Given): string | null {
  const kinds = [flowId, table, url].filter((target) => target !== undefined).length;
  if (kinds !== 1) return "must have one of flowId, table and url";
  if (name === undefined && url === undefined) return "must have a name";
  return table !== undefined && action === undefined ? "must have an action for its table" : null;
}

/** An agent's tool: its description for the model, and how to run it. */
export type AgentTool = ModelTool & { readonly does: ToolAction };

export type ToolAction =
  | { readonly kind: "flow"; readonly flowId: string }
  | { readonly kind: "table"; readonly table: string; readonly action: (typeof tableActions)[number] }
  | {
      readonly kind: "http";
      readonly method: (typeof methods)[number];
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly credential?: string | undefined;
    }
  | { readonly kind: "mcp"; readonly url: string; readonly credential?: string | undefined; readonly tool: string };

/** An MCP server, which lists its tools itself. */
export interface McpServer {
  readonly url: string;
  readonly credential: string | undefined;
}

const fixedHost = /^https?:\/\/[^\s/{}?#\\]+(?:[/?#]|$)/i;
const nothing: JsonObject = { type: "object", properties: {} };

/** A configured tool, or the MCP server that has some. Throws NodeFailure. */
export function toolOf(tool: z.output<typeof toolConfig>): AgentTool | McpServer {
  const { name, description = "", flowId, table, action, method = "GET", url = "", headers = {}, credential } = tool;
  if (name === undefined) return { url, credential };
  const described = { name, description, input: tool.input ?? nothing };
  if (flowId !== undefined) return { ...described, does: { kind: "flow", flowId } };
  if (table !== undefined && action !== undefined) {
    return { ...described, input: tool.input ?? tableInputs[action], does: { kind: "table", table, action } };
  }
  // The model's input must not decide which host gets a credential.
  if (!fixedHost.test(url)) {
    throw new NodeFailure("INVALID_CONFIG", `tools: the URL of ${name} must begin with http(s):// and a host`, {
      field: "tools",
    });
  }
  return { ...described, does: { kind: "http", method, url, headers, credential } };
}

const where = {
  type: "object",
  description: 'A filter: {"column": {"eq": 1}}; eq, ne, lt, lte, gt, gte, in, contains, and, or',
};
const row = { type: "object", description: "Values by column name" };
const limit = { type: "integer", minimum: 1, maximum: 1_000 };
const sort = { type: "string", description: "A column; with - before it, from the largest down" };
const ofObject = (properties: JsonObject, required: string[]): JsonObject => ({ type: "object", properties, required });

/** The default input of each table action. */
const tableInputs: Readonly<Record<TableAction, JsonObject>> = {
  get: ofObject({ where }, ["where"]),
  find: ofObject({ where, sort, limit }, []),
  count: ofObject({ where }, []),
  insert: ofObject({ row }, ["row"]),
  upsert: ofObject({ row, key: { type: "string", description: "The unique column" } }, ["row", "key"]),
  update: ofObject({ where, row }, ["where", "row"]),
  delete: ofObject({ where }, ["where"]),
  increment: ofObject({ where, column: { type: "string" }, by: { type: "number" } }, ["where", "column"]),
};
