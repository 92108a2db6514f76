import type { Actor } from "#lib/auth/actor.ts";
import { flowLimits } from "#lib/engine/flow.ts";
import { createFlow } from "./create-flow.ts";
import { findFlow } from "./find-flow.ts";

interface Wish {
  readonly name?: string | null | undefined;
  readonly includeVariables: boolean;
  readonly includeConnections: boolean;
}

const suffix = " (copy)";

/** Makes a draft like this flow, with a trigger URL of its own. Throws NOT_FOUND. */
export async function duplicateFlow(actor: Actor, id: string, wish: Wish) {
  if (actor.once?.made) return actor.once.made as Awaited<ReturnType<typeof createFlow>>;
  const { row, definition } = await findFlow(actor, id);
  return await createFlow(actor, {
    name: wish.name ?? row.name.slice(0, flowLimits.nameCharactersMax - suffix.length) + suffix,
    description: row.description,
    status: "draft",
    tags: row.tags,
    settings: row.settings === null ? null : JSON.parse(row.settings),
    trigger: definition.trigger,
    nodes: [...definition.nodes],
    edges: wish.includeConnections ? [...definition.edges] : [],
    variables: wish.includeVariables ? definition.variables : {},
  });
}
