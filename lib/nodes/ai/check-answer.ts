import type { JsonObject } from "#lib/engine/json.ts";
import { formatPath } from "#lib/engine/json.ts";
import type { ValueProblem } from "#lib/formats/check-value.ts";
import { convert } from "#lib/formats/convert.ts";
import { parseJsonInTurns, TooDeep } from "#lib/json/parse-json.ts";
import { levelsMax, type NodeContext, NodeFailure, tooDeep } from "#lib/nodes/define.ts";

/** A schema that takes longer to check is refused. */
const checkMsMax = 3_000;
const levelsOfSchemaMax = 64;

/** An answer that matches its schema, or its problems. */
export type Checked = { readonly object: unknown } | { readonly problem: string };

/** Checks text that should be JSON of this schema. Throws NodeFailure if the schema cannot be used. */
export async function checkText(text: string, schema: JsonObject, context: NodeContext): Promise<Checked> {
  const json = withoutFence(text);
  try {
    return await checkValue(await parseJsonInTurns(json, levelsMax), json, schema, context);
  } catch (error) {
    if (error instanceof TooDeep) throw tooDeep("output");
    if (error instanceof SyntaxError) return { problem: "it is not JSON" };
    throw error;
  }
}

/** The same for a value. `json`: its text. */
export async function checkValue(
  value: unknown,
  json: string,
  schema: JsonObject,
  { workspaceId, signal }: Pick<NodeContext, "workspaceId" | "signal">,
): Promise<Checked> {
  const checked = await convert({ schema: JSON.stringify(schema), value: json }, workspaceId, signal, checkMsMax);
  if ("problem" in checked) {
    throw new NodeFailure("INVALID_CONFIG", `The schema can't be used: ${checked.problem}`, { field: "output" });
  }
  const problems = JSON.parse(checked.json) as ValueProblem[];
  if (problems.length === 0) return { object: value };
  const messages = problems.map(
    ({ path, message }) => `${path.length === 0 ? "the answer" : formatPath(path)}: ${message}`,
  );
  return { problem: messages.join("; ") };
}

/** Models often wrap JSON in a Markdown code fence. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  const begin = /^```(?:json)?\s*\n/.exec(trimmed);
  return begin !== null && trimmed.endsWith("```") ? trimmed.slice(begin[0].length, -3) : trimmed;
}

/** The problem of a schema, before any request; null for none. */
export function schemaProblem(schema: JsonObject): string | null {
  if (schema.type !== "object") return 'must be the JSON Schema of an object: {"type": "object", "properties": …}';
  return depthOf(schema) > levelsOfSchemaMax ? `must be nested at most ${levelsOfSchemaMax} levels deep` : null;
}

function depthOf(value: unknown, level = 0): number {
  if (typeof value !== "object" || value === null || level > levelsOfSchemaMax) return level;
  return Math.max(level, ...Object.values(value).map((child) => depthOf(child, level + 1)));
}
