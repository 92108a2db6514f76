// Every field that evaluates expressions, read from the node types, so that tests attack new fields from the start.
import type { JsonObject } from "#lib/engine/json.ts";
import { nodeManifests, planNodeConfig } from "#lib/nodes/registry.ts";

export interface ExpressionPlace {
  readonly name: string;
  /** A node that evaluates this expression there, and fails instead of waiting for any value. */
  readonly node: (id: string, expression: string) => { id: string; type: string; config: JsonObject };
}

/** The forms of an expression in a field: bare, in braces, or deeper if it is read differently there. */
const forms: readonly [string, (expression: string) => JsonObject[string]][] = [
  ["", (expression) => expression],
  [" in braces", (expression) => `{{ ${expression} }}`],
  [" of an object", (expression) => ({ "x-a": `{{ ${expression} }}` })],
];

/** Fields whose value would start a wait: the value is never valid. */
const waits = new Set(["delay", "wait", "wait-for"]);
/** Leads nowhere: the test checks that the expression is evaluated, not that its value is sent. */
const nowhere = "http://127.0.0.1:1/";

export const expressionPlaces: readonly ExpressionPlace[] = nodeManifests().flatMap((manifest) => {
  const { configSchema, type } = manifest;
  const fields = Object.keys((configSchema as { properties?: object }).properties ?? {});
  return fields.flatMap((field) => {
    const places = forms
      .map(([form, write]) => placeOf(manifest, field, form, write))
      .filter((place) => place !== null);
    const isReadAsText = places.length > 1 || type === "code";
    return isReadAsText ? places.filter(({ name }) => !name.endsWith("object")) : places;
  });
});

/** Types without a field that evaluates anything. */
export const typesWithoutPlace: readonly string[] = nodeManifests()
  .map(({ type }) => type)
  .filter((type) => !expressionPlaces.some(({ name }) => name.startsWith(`${type} `)));

function placeOf(
  { type, example }: { type: string; example: object },
  field: string,
  form: string,
  write: (expression: string) => JsonObject[string],
): ExpressionPlace | null {
  const isCode = type === "code" && field === "code" && form === "";
  const { credential: _, ...base }: JsonObject = {
    ...(example as JsonObject),
    ...(type === "http-request" ? { url: nowhere, retry: {} } : {}),
    ...(type === "loop" ? { items: [1], body: { nodes: [], edges: [] } } : {}),
  };
  const configWith = (expression: string): JsonObject => {
    const wrapped = isCode ? `return (${expression}\n)` : waits.has(type) ? `[${expression}]` : expression;
    return { ...base, [field]: write(wrapped), onError: "continue" };
  };
  const isRead = planNodeConfig(type, configWith("$marker")).slots.some(({ template }) =>
    template.segments.some((segment) => typeof segment !== "string" && segment.names.includes("$marker")),
  );
  // A loop's body is nodes: an expression cannot replace it.
  if ((!isRead && !isCode) || (field === "body" && type === "loop")) return null;
  return { name: `${type} ${field}${form}`, node: (id, expression) => ({ id, type, config: configWith(expression) }) };
}
