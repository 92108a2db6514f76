import type { z } from "zod";
import type { Actor } from "#lib/auth/actor.ts";
import type { checkFlow as checkFlowEndpoint } from "#lib/contract/flows/checks.ts";
import { credentialType } from "#lib/credentials/credentials.ts";
import { type FlowDefinition, isStorableText } from "#lib/engine/flow.ts";
import { findGraphProblems, type Problem } from "#lib/engine/graph.ts";
import { AppError } from "#lib/errors.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import { adviceOnFlow } from "./advice/advice.ts";
import { referencesOf } from "./advice/find-references.ts";
import { noLearned } from "./advice/learned-types.ts";
import { adviceOn } from "./advice/node-advice.ts";
import {
  configProblems,
  isAuthenticated,
  settingsProblems,
  triggerProblem,
  triggerProblems,
} from "./checks/definition-problems.ts";
import { typesFor } from "./learned-types/types-still-true.ts";
import { type ListenerReader, listenerProblems } from "./listener.ts";
import { hasTooManyExpressions, type PlannedNode, planNodes } from "./plan-nodes.ts";
import { pollProblems } from "./polls/poll-trigger.ts";

/** Throws VALIDATION_ERROR with every reason why this definition cannot be stored; checked on every write. */
export function requireSoundGraph(definition: FlowDefinition): void {
  refuse(findGraphProblems(definition.nodes, definition.edges, nodeTypes), "The flow is not valid");
}

/**
 * Throws VALIDATION_ERROR with every reason why this flow cannot be active; unfinished drafts may be stored.
 * `database`: the transaction that activates it.
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

/** Every reason why this flow could not be stored or active. `planned`: its nodes. */
export async function findFlowProblems(
  database: CredentialReader,
  workspaceId: string,
  definition: FlowDefinition,
  planned: readonly PlannedNode[],
  settings: string | null = null,
): Promise<Problem[]> {
  const problems = findGraphProblems(definition.nodes, definition.edges, nodeTypes);
  const others = await runProblems(database, workspaceId, definition, planned);
  return [...problems, ...others, ...settingsProblems(settings)];
}

async function runProblems(
  database: CredentialReader,
  workspaceId: string,
  definition: FlowDefinition,
  known?: readonly PlannedNode[],
): Promise<Problem[]> {
  const planned = known ?? (await planNodes(workspaceId, definition));
  await nextTurn();
  const problems = [...triggerProblems(definition.trigger), ...configProblems(planned)];
  const listening = await listenerProblems(database, workspaceId, definition.trigger);
  const polling = await pollProblems(database, workspaceId, definition.trigger);
  return [
    ...problems,
    ...(await credentialProblems(database, workspaceId, definition)),
    ...[...listening, ...polling].map(({ field, message }) => triggerProblem(field, message)),
  ];
}

type CredentialReader = Parameters<typeof credentialType>[0] & ListenerReader;

/** A trigger with authentication needs a credential of exactly that type: without it, it would refuse every call. */
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

/** The maximum number of problems in an answer, each of which is built, checked and serialized. */
const listedMax = 1_000;

/** The first problems, and an entry with the number of others. */
export function listedProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= listedMax) return problems;
  const message = `and ${problems.length - listedMax} more problems, which are not listed`;
  return [...problems.slice(0, listedMax), { path: "nodes", message }];
}

function refuse(problems: readonly Problem[], message: string): void {
  if (problems.length === 0) return;
  const details: Record<string, string> = {};
  for (const problem of problems.slice(0, listedMax)) details[problem.path] ??= problem.message;
  const rest = problems.length - listedMax;
  throw new AppError("VALIDATION_ERROR", rest > 0 ? `${message}: ${rest} more problems are not listed` : message, {
    details,
  });
}

type Body = z.output<(typeof checkFlowEndpoint)["body"]>;

/** The maximum amount of advice in an answer. */
const adviceMax = 1_000;

/** Advice on a flow as a whole; none if its graph is invalid. */
async function adviceOnBuild(actor: Actor, { flowId, trigger, nodes, edges }: Body, planned: readonly PlannedNode[]) {
  if (findGraphProblems(nodes, edges, nodeTypes).length > 0) return [];
  const types = flowId == null ? noLearned : await typesFor(actor, flowId, { trigger, nodes, edges });
  const references = await referencesOf(actor.workspaceId, planned);
  const context = { references, ownId: flowId ?? null, callerWaitsMs: env().syncWaitMs, types };
  return await adviceOnFlow({ trigger, nodes, edges }, planned, context);
}

/** Every reason why such a flow could not be active (empty if it could), and advice on likely mistakes. */
export async function checkFlow(actor: Actor, body: Body) {
  const planned = await planNodes(actor.workspaceId, body);
  const problems = await findFlowProblems(database(), actor.workspaceId, { ...body, variables: {} }, planned);
  await nextTurn();
  const advice = hasTooManyExpressions(planned)
    ? []
    : [...adviceOn(planned), ...(await adviceOnBuild(actor, body, planned))];
  return { problems: [...listedProblems(problems)], advice: advice.slice(0, adviceMax) };
}
