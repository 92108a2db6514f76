import { credentialType } from "#lib/credentials/credentials.ts";
import { type FlowDefinition, type FlowTrigger, flowLimits, isStorableText, triggerSource } from "#lib/engine/flow.ts";
import { findGraphProblems, type Problem } from "#lib/engine/graph.ts";
import { AppError } from "#lib/errors.ts";
import { concurrencyOf, planConcurrencyKey } from "#lib/executions/nodes/run-limit.ts";
import { findConfigProblems, nodeTypes } from "#lib/nodes/registry.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { hasTooManyExpressions, type PlannedNode, planNodes } from "./plan-nodes.ts";
import { scheduleProblems } from "./schedule.ts";

/** Throws VALIDATION_ERROR with every reason why this definition cannot be stored; checked on every write. */
export function requireSoundGraph(definition: FlowDefinition): void {
  refuse(findGraphProblems(definition.nodes, definition.edges, nodeTypes), "The flow is not sound");
}

/**
 * Throws VALIDATION_ERROR with every reason why this flow cannot be active; half-made drafts may be stored.
 * `database`: that of the transaction which makes it active.
 */
export async function requireRunnable(
  database: CredentialReader,
  workspaceId: string,
  definition: FlowDefinition,
  settings: string | null,
): Promise<void> {
  const problems = [...(await runProblems(database, workspaceId, definition)), ...settingsProblems(settings)];
  refuse(problems, "The flow cannot be activated yet");
}

/** Every reason why this flow could not be stored and active, at once. `planned`: its nodes. */
export async function findFlowProblems(
  database: CredentialReader,
  workspaceId: string,
  definition: FlowDefinition,
  planned: readonly PlannedNode[],
  settings: string | null = null,
): Promise<Problem[]> {
  const unsound = findGraphProblems(definition.nodes, definition.edges, nodeTypes);
  const others = await runProblems(database, workspaceId, definition, planned);
  return [...unsound, ...others, ...settingsProblems(settings)];
}

async function runProblems(
  database: CredentialReader,
  workspaceId: string,
  definition: FlowDefinition,
  known?: readonly PlannedNode[],
): Promise<Problem[]> {
  const planned = known ?? (await planNodes(workspaceId, definition));
  await nextTurn();
  const problems = [...triggerProblems(definition), ...configProblems(planned)];
  return [...problems, ...(await credentialProblems(database, workspaceId, definition))];
}

type CredentialReader = Parameters<typeof credentialType>[0];

function configProblems(planned: readonly PlannedNode[]): Problem[] {
  // Nothing else is known of their configs: the rest of them has not been read.
  if (hasTooManyExpressions(planned)) {
    return [{ path: "nodes", message: `a flow has at most ${flowLimits.expressionsMax} expressions: it has more` }];
  }
  const enabled = planned.filter(({ isDisabled }) => !isDisabled);
  return enabled.flatMap(({ node, path: config, plan }) =>
    findConfigProblems(node.type, node.config, plan).map(({ path, message }) => ({
      path: `${config}${path.startsWith("[") || path === "" ? path : `.${path}`}`,
      message,
      nodeId: node.id,
    })),
  );
}

function settingsProblems(settings: string | null): Problem[] {
  const key = concurrencyOf(settings)?.key.trim() ?? "";
  const problems = key === "" ? [] : planConcurrencyKey(key).problems;
  return problems.map(({ message, position }) => ({
    path: "settings.concurrency.key",
    message: `${message} (at ${position})`,
    nodeId: triggerSource,
  }));
}

function triggerProblems({ trigger }: FlowDefinition): Problem[] {
  const { authentication, credential } = trigger.config;
  if (trigger.type === "schedule") {
    return scheduleProblems(trigger.config).map(({ field, message }) => triggerProblem(field, message));
  }
  if (!isAuthenticated(trigger) || typeof credential === "string") return [];
  const message = `authentication "${String(authentication)}" needs the name of a credential`;
  return [triggerProblem("credential", message)];
}

/** A trigger that authenticates needs a credential of that very type: without it, it would refuse every call. */
async function credentialProblems(
  database: CredentialReader,
  workspaceId: string,
  { trigger }: FlowDefinition,
): Promise<Problem[]> {
  const { authentication, credential: name } = trigger.config;
  if (!isAuthenticated(trigger) || typeof name !== "string") return [];
  const type = isStorableText(name) ? await credentialType(database, workspaceId, name) : null;
  if (type === authentication) return [];
  const message =
    type === null
      ? `there is no credential named "${name}"`
      : `authentication "${String(authentication)}" needs a credential of type ${String(authentication)}, and "${name}" is of type ${type}`;
  return [triggerProblem("credential", message)];
}

function isAuthenticated({ type, config: { authentication } }: FlowTrigger): boolean {
  return type === "webhook" && authentication !== undefined && authentication !== "none";
}

function triggerProblem(field: string, message: string): Problem {
  return { path: `${triggerSource}.config.${field}`, message, nodeId: triggerSource };
}

/** One answer tells so many problems: each is made, checked and written. */
const toldMax = 1_000;

/** The first of many problems, and an entry that says how many more there are. */
export function toldProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= toldMax) return problems;
  const message = `and ${problems.length - toldMax} more problems, which are not listed`;
  return [...problems.slice(0, toldMax), { path: "nodes", message }];
}

function refuse(problems: readonly Problem[], message: string): void {
  if (problems.length === 0) return;
  const details: Record<string, string> = {};
  for (const problem of problems.slice(0, toldMax)) details[problem.path] ??= problem.message;
  const more = problems.length - toldMax;
  throw new AppError("VALIDATION_ERROR", more > 0 ? `${message}: ${more} more problems are not listed` : message, {
    details,
  });
}
