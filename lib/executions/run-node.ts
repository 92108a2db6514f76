import type { z } from "zod";
import type { GraphEdge, GraphNode } from "#lib/engine/compile.ts";
import { planExpressions } from "#lib/engine/config-plan.ts";
import { readBody } from "#lib/engine/expression.ts";
import { toStorableText } from "#lib/engine/flow.ts";
import { formatPath, type JsonObject } from "#lib/engine/json.ts";
import { cancelled, jsonText, type NodeError, type Outcome } from "#lib/engine/outcome.ts";
import { NodeFailure, type NodeResult } from "#lib/nodes/define.ts";
import { nodeConfigSchema, nodeDefinition } from "#lib/nodes/registry.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { nodeContext, type Outside } from "./node-context.ts";
import { ExpressionFailure, resolveConfig } from "./resolve-config.ts";
import type { Run } from "./run.ts";
import { credentialValues } from "./run-credentials.ts";
import { scopeOf } from "./scope.ts";

/** Resolved configs that are larger are not kept for people to read. */
const keptInputCharactersMax = 65_536;

/**
 * Does one node: resolves its config, parses it, runs it, and turns whatever happens into an outcome. Secrets are
 * hidden in the outcome itself, so that what other nodes see is what is stored, also after a crash.
 */
export async function runNode(
  run: Run,
  node: GraphNode,
  taken: readonly GraphEdge[],
  outcomes: ReadonlyMap<string, Outcome>,
  outside: Outside,
): Promise<Outcome> {
  try {
    const result = await perform(run, node, taken, outcomes, outside);
    const output = jsonText(run.mask.value(result.output));
    const { handle = null, answer } = result;
    return { status: "completed", output, handle, ...(answer === undefined ? {} : { answer }) };
  } catch (thrown) {
    if (run.stop.signal.aborted) return cancelled;
    if (isUnavailable(thrown)) throw thrown;
    const error = describeFailure(run, thrown);
    run.journal.log("error", node.node.id, error.message, null);
    if (node.node.config.onError !== "continue") return { status: "failed", error };
    const output = jsonText({ error: { message: error.message, code: error.code } });
    return { status: "completed", output, handle: null };
  }
}

async function perform(
  run: Run,
  node: GraphNode,
  taken: readonly GraphEdge[],
  outcomes: ReadonlyMap<string, Outcome>,
  outside: Outside,
): Promise<NodeResult> {
  const { type, id } = node.node;
  const definition = nodeDefinition(type);
  const schema = nodeConfigSchema(type);
  if (definition === undefined || schema === undefined) {
    throw new NodeFailure("UNKNOWN_NODE_TYPE", `There is no node type "${type}"`);
  }
  const plan = run.version.plan(node.node);
  const expressions = planExpressions(plan).map(({ expression }) => expression);
  const mentioning = type === "code" ? [...expressions, ...codeOf(node.node.config)] : expressions;
  const credentials = await credentialValues(run, mentioning);
  const scope = scopeOf(run, node, taken, outcomes, credentials);
  const resolved = await resolveConfig(plan, scope, outside.sandbox, run.stop.signal);
  if (plan.slots.length > 0) keepInput(run, id, resolved);
  const parsed = schema.safeParse(resolved);
  if (!parsed.success) throw invalidConfig(parsed.error.issues, resolved);
  return await definition.run(parsed.data, nodeContext(run, node, scope, outside));
}

function codeOf(config: JsonObject) {
  return typeof config.code === "string" ? [readBody(config.code)] : [];
}

function keepInput(run: Run, nodeId: string, resolved: JsonObject): void {
  const json = JSON.stringify(run.mask.value(resolved));
  if (json.length <= keptInputCharactersMax) run.journal.input(nodeId, json);
}

function invalidConfig(issues: readonly z.core.$ZodIssue[], resolved: JsonObject): NodeFailure {
  const all = issues.map((issue) => `${formatPath(issue.path)}: ${issue.message.replace(/^Invalid input: /, "")}`);
  const [first] = issues;
  const field = first === undefined ? "" : formatPath(first.path);
  const found = first?.path.reduce<unknown>(
    (value, step) => (value as JsonObject | undefined)?.[String(step)],
    resolved,
  );
  const shown = JSON.stringify(found)?.slice(0, 100) ?? "nothing";
  return new NodeFailure("INVALID_CONFIG", `${all.join("; ")} (found ${shown})`, { field });
}

function describeFailure(run: Run, thrown: unknown): NodeError {
  if (!(thrown instanceof NodeFailure)) {
    logLine("error", "A node failed unexpectedly", { executionId: run.id, ...errorFields(thrown) });
    return { message: "The node failed for a reason of ours; the server's log has more", code: "INTERNAL_ERROR" };
  }
  return {
    message: toStorableText(run.mask.text(thrown.message)),
    code: thrown.code,
    ...(thrown.field === undefined ? {} : { field: thrown.field }),
    ...(thrown instanceof ExpressionFailure ? thrown.details() : {}),
  };
}
