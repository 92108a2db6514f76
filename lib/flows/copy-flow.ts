import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { importFlow as importFlowEndpoint } from "#lib/contract/flows/flow-copies.ts";
import { flowLimits } from "#lib/engine/flow.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { createFlow } from "./create-flow.ts";
import { findFlow } from "./show-flow.ts";
import { testsToExport } from "./tests/flow-tests.ts";

type Body = z.output<(typeof importFlowEndpoint)["body"]>;

/** Creates a draft from an exported document, by the rules of any new flow. Throws VALIDATION_ERROR. */
export async function importFlow(actor: Actor, { name, data, overwriteVariables }: Body) {
  const { flow } = data;
  const wanted = name ?? flow.name;
  const own = overwriteVariables ? {} : await variablesOfNamesake(actor, wanted);
  const kept = Object.entries(own).filter(([key]) => Object.hasOwn(flow.variables, key));
  const variables = { ...flow.variables, ...Object.fromEntries(kept) };
  try {
    return await createFlow(actor, { ...flow, name: wanted, status: "draft", variables }, data.tests);
  } catch (error) {
    throw inDocument(error);
  }
}

/**
 * The variables of the newest flow of the same name: they are specific to the environment and must not be overwritten.
 */
async function variablesOfNamesake(actor: Actor, name: string): Promise<JsonObject> {
  const where = { workspaceId: actor.workspaceId, name };
  const newest = await database().flow.findFirst({ where, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
  return newest === null ? {} : (await findFlow(actor, newest.id)).definition.variables;
}

/** Names the fields as in the request. */
function inDocument(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_ERROR") return error;
  const details = Object.entries(error.details ?? {}).map(([path, message]) => [
    path.startsWith("tests") ? `data.${path}` : `data.flow.${path}`,
    message,
  ]);
  return new AppError(error.code, error.message, { details: Object.fromEntries(details) });
}

interface Wish {
  readonly name?: string | null | undefined;
  readonly includeVariables: boolean;
  readonly includeConnections: boolean;
}

const suffix = " (copy)";

/** Creates a draft like this flow, with a new trigger URL. Throws NOT_FOUND. */
export async function duplicateFlow(actor: Actor, id: string, wish: Wish) {
  if (actor.once?.made) return actor.once.made as Awaited<ReturnType<typeof createFlow>>;
  const { row, definition } = await findFlow(actor, id);
  const document = {
    name: wish.name ?? row.name.slice(0, flowLimits.nameCharactersMax - suffix.length) + suffix,
    description: row.description,
    status: "draft" as const,
    tags: row.tags,
    settings: row.settings === null ? null : JSON.parse(row.settings),
    trigger: definition.trigger,
    nodes: [...definition.nodes],
    edges: wish.includeConnections ? [...definition.edges] : [],
    variables: wish.includeVariables ? definition.variables : {},
  };
  return await createFlow(actor, document, await testsToExport(id));
}
