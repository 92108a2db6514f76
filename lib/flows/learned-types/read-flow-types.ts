import type { Actor } from "#lib/auth/actor.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import type { LearnedShapes } from "#lib/flows/advice/learned-types.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { jsonTypes, type Shape, seenIn } from "./learn-from-value.ts";
import { storedTypes } from "./stored-types.ts";
import { typeLearner } from "./type-learner.ts";

/** The shapes of a flow's outputs as JSON Schemas. Throws NOT_FOUND. */
export async function readFlowTypes(actor: Actor, flowId: string) {
  const { row } = await findFlow(actor, flowId);
  await typeLearner().storeOf(flowId);
  const { trigger, nodes } = await learnedTypes(flowId, row.version);
  return {
    trigger: trigger === null ? null : schemaOf(trigger),
    nodes: Object.fromEntries([...nodes].map(([id, shape]) => [id, schemaOf(shape)])),
  };
}

/** The shapes of a version's trigger and nodes: for each node, from the newest version in which it ran. */
export async function learnedTypes(flowId: string, version: number): Promise<LearnedShapes> {
  const known = (await storedTypes(flowId)).filter((stored) => stored.version <= version);
  const ids = (await loadVersion(flowId, version))?.allNodes.map(({ id }) => id) ?? [];
  const found = ids.flatMap((id): [string, Shape][] => {
    const shape = known.find(({ shapes }) => shapes.nodes.has(id))?.shapes.nodes.get(id);
    return shape === undefined ? [] : [[id, shape]];
  });
  const trigger = known.find(({ shapes }) => shapes.trigger !== null)?.shapes.trigger ?? null;
  return { trigger, nodes: new Map(found) };
}

/**
 * A shape as JSON Schema. `x-seen`: the number of values. `x-missing`: how many objects lacked the property, if all
 * were sampled.
 */
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
