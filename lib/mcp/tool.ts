import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Scope } from "#lib/access.ts";
import { type Operations, operations } from "#lib/contract/all.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath, type JsonObject, textDepth } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import type { FlowRun, Given, Port } from "./port.ts";

/** A tool with which assistants build flows. */
export interface BuilderTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** True if it changes nothing. */
  readonly isReading: boolean;
  /** The scopes that its operations need. */
  readonly scopes: readonly Scope[];
  readonly inputSchema: () => JsonObject;
  /** Throws AppError. */
  readonly perform: (given: JsonObject, port: Port) => Promise<CallToolResult>;
}

interface Described<Input extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isReading: boolean;
  /** The operations that it may call. Hidden from callers who may not call them. */
  readonly uses: readonly (keyof Operations)[];
  readonly input: Input;
  /** `sent`: the raw arguments, for an operation that parses them itself. */
  readonly perform: (given: z.output<Input>, port: Port, sent: JsonObject) => Promise<CallToolResult>;
}

export function builderTool<Input extends z.ZodType>({
  uses,
  input,
  perform,
  ...described
}: Described<Input>): BuilderTool {
  let schema: JsonObject | undefined;
  return {
    ...described,
    scopes: [...new Set(uses.flatMap((name) => operations[name]?.scope ?? []))],
    inputSchema: () => {
      schema ??= jsonSchemaOf(input);
      return schema;
    },
    perform: async (given, port) => await perform(checked(input, given), port, given),
  };
}

export function annotationsOf({ title, isReading }: BuilderTool): ToolAnnotations {
  return { title, readOnlyHint: isReading, destructiveHint: false, openWorldHint: false };
}

/** MCP clients require an object at the root, so intersections are merged into one. */
function jsonSchemaOf(input: z.ZodType): JsonObject {
  const { $schema: _, allOf, ...schema } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  if (allOf === undefined) return schema as unknown as JsonObject;
  const properties = Object.assign({}, ...allOf.map((part) => part.properties ?? {}));
  const required = allOf.flatMap((part) => part.required ?? []);
  return { ...schema, type: "object", properties, required } as unknown as JsonObject;
}

function checked<Input extends z.ZodType>(input: Input, given: JsonObject): z.output<Input> {
  const parsed = input.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const details: Record<string, string> = {};
  for (const issue of parsed.error.issues) details[formatPath(issue.path) || "arguments"] ??= issueMessage(issue);
  throw new AppError("VALIDATION_ERROR", "The arguments are not valid", { details });
}

/** The limit for an answer that a tool reads itself: the largest flow with its working copy is smaller. */
const readCharactersMax = 4_194_304;

/** An operation's parsed answer. Throws AppError, including for an answer that is too large. */
export async function readAnswer(port: Port, name: keyof Operations, given: Given): Promise<JsonObject> {
  const { text, isCut } = await port.call(name, given, readCharactersMax);
  if (isCut) throw new AppError("PAYLOAD_TOO_LARGE", "The answer is too large to be read here: ask for less");
  return JSON.parse(text) as JsonObject;
}

/** The limit for one result. */
export const resultCharactersMax = 65_536;
/** Deeper values are shown as text only. */
const levelsMax = 64;
const detailsMax = 50;

/** A text result, truncated if needed, with a note on how to request less. */
export function textResult(
  { text, isCut = false }: { readonly text: string; readonly isCut?: boolean },
  less: string,
): CallToolResult {
  if (!isCut && text.length <= resultCharactersMax) return { content: [{ type: "text", text }] };
  const shortened = text.slice(0, resultCharactersMax).toWellFormed();
  return {
    content: [
      { type: "text", text: `${shortened}\n\n[Cut: the result has more than ${shortened.length} characters. ${less}]` },
    ],
  };
}

/** A flow's answer, or its failure with the execution's id, by which it can be explained. */
export function flowResult({ executionId, status, output, error }: FlowRun): CallToolResult {
  if (status === "running") {
    return textResult(
      { text: `The run ${executionId} is still in progress. Call millrace_explain_run for its result.` },
      "",
    );
  }
  if (status !== "completed" || output === null) {
    const at = error?.nodeId === null || error === null ? "" : ` at the node "${error.nodeId}"`;
    const text = error === null ? `The run is ${status}` : `${error.code}${at}: ${error.message}`;
    return failure(`${text}\nThe execution is ${executionId}: millrace_explain_run tells more.`);
  }
  const result = textResult({ text: output.json }, `The execution ${executionId} has the whole of it.`);
  if (output.json.length > resultCharactersMax || textDepth(output.json, levelsMax) > levelsMax) return result;
  return { ...result, structuredContent: { output: JSON.parse(output.json), executionId } };
}

/** A refusal as text: the code, the message, and each invalid field. */
export function refusalResult(error: AppError): CallToolResult {
  const details = Object.entries(error.details ?? {});
  const lines = details
    .slice(0, detailsMax)
    .map(([path, text]) => `- ${path}: ${typeof text === "string" ? text : JSON.stringify(text)}`);
  const rest = details.length > detailsMax ? [`- and ${details.length - detailsMax} more`] : [];
  return failure([`${error.code}: ${error.message}`, ...lines, ...rest].join("\n"));
}

export function failure(text: string): CallToolResult {
  return { ...textResult({ text: text.toWellFormed() }, ""), isError: true };
}
