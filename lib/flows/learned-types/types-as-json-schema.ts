import type { JsonObject } from "#lib/engine/json.ts";
import { jsonTypes, type Shape, seenIn } from "./learn-from-value.ts";

/** A shape as JSON Schema: `x-seen` is how many values there were, `x-missing` how many objects lacked the property, if all were sampled. */
export function schemaOf(shape: Shape, missing?: number): JsonObject {
  const { types, fields, items, others, isCut } = shape;
  const named = jsonTypes.filter(
    (type) => (types[type] ?? 0) > 0 && (type !== "integer" || types.number === undefined),
  );
  const [only] = named;
  const objects = types.object ?? 0;
  const required = [...fields].filter(([, field]) => seenIn(field) >= objects).map(([name]) => name);
  return {
    ...(only === undefined ? {} : { type: named.length === 1 ? only : [...named] }),
    "x-seen": seenIn(shape),
    ...(missing === undefined ? {} : { "x-missing": missing }),
    ...(fields.size === 0 ? {} : { properties: propertiesOf(fields, isCut ? null : objects) }),
    ...(required.length === 0 ? {} : { required }),
    ...(others === null ? {} : { additionalProperties: schemaOf(others) }),
    ...(items === null ? {} : { items: schemaOf(items) }),
  };
}

function propertiesOf(fields: Shape["fields"], objects: number | null): JsonObject {
  const missing = (field: Shape) => (objects === null ? undefined : Math.max(0, objects - seenIn(field)));
  return Object.fromEntries([...fields].map(([name, field]) => [name, schemaOf(field, missing(field))]));
}
