import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Scope } from "#lib/access.ts";
import { type Operations, operations } from "#lib/contract/all.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath, type JsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import type { Given, Port } from "./port.ts";

/** A tool with which assistants build flows. */
export interface BuilderTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether it changes nothing. */
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
  /** The operations that it may call: a caller who may not is not shown it. */
  readonly uses: readonly (keyof Operations)[];
  readonly input: Input;
  /** `sent`: the arguments as they came, for an operation that parses them itself. */
  readonly perform: (given: z.output<Input>, port: Port, sent: JsonObject) => Promise<CallToolResult>;
}

export function builderTool<Input extends z.ZodType>({ uses, input, perform, ...told }: Described<Input>): BuilderTool {
  let schema: JsonObject | undefined;
  return {
    ...told,
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

/** Programs want one object at the root: of parts that hold together, the properties of all. */
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

/** Of an answer that a tool itself reads: the largest flow with its working copy is smaller. */
const readCharactersMax = 4_194_304;

/** An operation's answer as a value. Throws AppError, also for one that is too large to be read. */
export async function readAnswer(port: Port, name: keyof Operations, given: Given): Promise<JsonObject> {
  const { text, isCut } = await port.call(name, given, readCharactersMax);
  if (isCut) throw new AppError("PAYLOAD_TOO_LARGE", "The answer is too large to be read here: ask for less");
  return JSON.parse(text) as JsonObject;
}
