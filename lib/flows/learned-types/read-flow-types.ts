import type { Actor } from "#lib/auth/actor.ts";
import { loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import type { Shape } from "./learn-from-value.ts";
import { storedTypes } from "./stored-types.ts";
import { typeLearner } from "./type-learner.ts";
import { schemaOf } from "./types-as-json-schema.ts";

/** What is known of a flow's data: of each node from the newest version in which it ran. */
export interface LearnedTypes {
  readonly trigger: Shape | null;
  readonly nodes: ReadonlyMap<string, Shape>;
}

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

/** Of the nodes that a version has, and of its trigger. */
export async function learnedTypes(flowId: string, version: number): Promise<LearnedTypes> {
  const known = (await storedTypes(flowId)).filter((one) => one.version <= version);
  const ids = (await loadVersion(flowId, version))?.allNodes.map(({ id }) => id) ?? [];
  const found = ids.flatMap((id): [string, Shape][] => {
    const shape = known.find(({ shapes }) => shapes.nodes.has(id))?.shapes.nodes.get(id);
    return shape === undefined ? [] : [[id, shape]];
  });
  const trigger = known.find(({ shapes }) => shapes.trigger !== null)?.shapes.trigger ?? null;
  return { trigger, nodes: new Map(found) };
}
