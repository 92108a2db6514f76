import type { Actor } from "#lib/auth/actor.ts";
import { type FlowSettings, isStorableText } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { inputLimits } from "#lib/engine/offers/flow-input.ts";
import { toolNameOf, toolNamePattern } from "#lib/engine/offers/tool-name.ts";
import { AppError } from "#lib/errors.ts";
import { schemaOf } from "#lib/flows/learned-types/read-flow-types.ts";
import { storedTypes } from "#lib/flows/learned-types/stored-types.ts";
import { typeLearner } from "#lib/flows/learned-types/type-learner.ts";
import { query } from "#lib/platform/database.ts";

/** An active flow as assistants see it. */
interface OfferedFlow {
  readonly id: string;
  readonly toolName: string;
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object: a call's `$trigger.body`. */
  readonly input: JsonObject;
  /** Whether a person wrote the schema: only then are calls validated against it. */
  readonly isGiven: boolean;
}

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly tool_name: string;
  readonly name: string;
  readonly description: string | null;
  readonly settings: string;
  readonly version: number;
}

const columns = "SELECT id, tool_name, name, description, settings, version FROM flow WHERE workspace_id = $1 AND";
const page = `${columns} tool_name COLLATE "C" > $2 ORDER BY tool_name COLLATE "C" LIMIT $3`;
const byToolName = `${columns} tool_name = $2`;

/** The offered flows of the actor's workspace, by tool name, after `after`; at most `most`. */
export async function listOfferedFlows(
  actor: Actor,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<OfferedFlow[]> {
  const rows = await query<Row>("offered-flows", page, [actor.workspaceId, after, most]);
  const found: OfferedFlow[] = [];
  for (const row of rows) found.push(await offeredFlow(row));
  return found;
}

/** The offered flow of this tool name; null if there is none. */
export async function findOfferedFlow(actor: Actor, toolName: string): Promise<OfferedFlow | null> {
  if (!isStorableText(toolName)) return null;
  const [row] = await query<Row>("offered-flow", byToolName, [actor.workspaceId, toolName]);
  return row === undefined ? null : await offeredFlow(row);
}

async function offeredFlow(row: Row): Promise<OfferedFlow> {
  const settings = JSON.parse(row.settings) as FlowSettings;
  const { id, tool_name: toolName, name } = row;
  const description = settings.mcp?.description || row.description || `Runs the flow "${name}".`;
  const input = settings.input ?? (await learnedInput(id, row.version)) ?? anyObject;
  return { id, toolName, name, description, input, isGiven: settings.input !== undefined };
}

const anyObject: JsonObject = { type: "object", additionalProperties: true };

/**
 * The learned schema of the trigger's body, from runs of this version or an earlier one; null if unknown or too large.
 */
async function learnedInput(flowId: string, version: number): Promise<JsonObject | null> {
  await typeLearner().storeOf(flowId);
  const known = (await storedTypes(flowId)).find((types) => types.version <= version && types.shapes.trigger !== null);
  const trigger = known?.shapes.trigger ?? null;
  const body = trigger?.fields.get("body");
  if (body === undefined) return null;
  const schema = withoutCounts(schemaOf(body));
  if (!isJsonObject(schema) || schema.type !== "object") return null;
  return jsonCharacters(schema, inputLimits.charactersMax) > inputLimits.charactersMax ? null : schema;
}

/** Drops statistics, which mean nothing to a caller. A field with such a name is dropped too. */
function withoutCounts(value: JsonObject[string]): JsonObject[string] {
  if (Array.isArray(value)) return value.map(withoutCounts);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "x-seen" && key !== "x-missing");
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutCounts(item)]));
}

interface NamedFlow {
  readonly name: string;
  readonly status: string;
  /** As stored. */
  readonly settings: string | null;
}

/**
 * A flow's tool name, as stored in its row; null for none. Throws VALIDATION_ERROR if it needs one and can have none.
 */
export function storedToolName({ name, status, settings }: NamedFlow): string | null {
  if (status !== "active" || settings === null) return null;
  const toolName = toolNameOf({ name, status, settings: JSON.parse(settings) as FlowSettings });
  if (toolName === null) return null;
  if (toolNamePattern.test(toolName) && isStorableText(toolName)) return toolName;
  throw refusal("is required here: the flow's own name has no letters a-z and no digits");
}

/**
 * Writes, and throws VALIDATION_ERROR if another active flow of the workspace has this tool name. The database decides:
 * of two flows activated at once, one succeeds.
 */
export async function refuseTakenTool<Row>(toolName: string | null, write: () => PromiseLike<Row>): Promise<Row> {
  try {
    return await write();
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "P2002";
    if (toolName === null || !isTaken) throw error;
    throw refusal(`another active flow is offered to assistants as "${toolName}"`);
  }
}

function refusal(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The flow cannot be offered to assistants", {
    details: { "settings.mcp.name": message },
  });
}
