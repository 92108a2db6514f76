import type { z } from "zod";
import { type Actor, requireScope } from "#lib/auth/actor.ts";
import type { evaluateExpression as evaluateExpressionEndpoint } from "#lib/contract/flows/checks.ts";
import { isStorableText, triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { visibleOutput } from "#lib/engine/outcome.ts";
import { readReferences } from "#lib/executions/files/read-files.ts";
import { findExecution } from "#lib/executions/read-execution.ts";
import { recordedOutcomes } from "#lib/executions/store/recorded-outcomes.ts";
import {
  type ConfigPlan,
  type Expression,
  type FileRead,
  planConfig,
  type Reader,
} from "#lib/expressions/expressions.ts";
import { parseOwnJson, parseSmallJson } from "#lib/json/parse-json.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { planNodeConfig } from "#lib/nodes/registry.ts";
import { iso } from "#lib/platform/clock.ts";
import { readFor } from "#lib/reading/read-sources.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";
import { filledConfig, knownValues, resolveConfig } from "#lib/scope/resolve-config.ts";
import { loadVersion } from "./compiled-version.ts";

type Body = z.output<(typeof evaluateExpressionEndpoint)["body"]>;
type Scope = Record<string, unknown>;

/** Names that depend on the position in a run, unless given, and secrets that only runs may read. */
const inRunsOnly = ["$credentials", "$switch", "$item", "$index", "$resume"];

/** The parts that every run's `$trigger` has. */
const emptyTrigger = { body: {}, headers: {}, query: {} };

/** How deeply JSON may be nested, as in a request's body. */
const jsonLevelsMax = 64;

/** Evaluates one expression over an execution's data, the given data, or both. Throws NOT_FOUND. */
export async function evaluateExpression(actor: Actor, body: Body, sandbox: Sandbox) {
  const whole = wholeOf(body);
  if ("message" in whole) return failed(whole);
  const [plan] = await readFor(actor.workspaceId, [whole], ({ planOf }, read) => planOf(read));
  if (plan === undefined) throw new Error("nothing was read");
  const [problem] = plan.problems;
  if (problem !== undefined) {
    return failed({ message: problem.message, position: problem.position, ...whole.at(problem.path) });
  }
  const expressions = plan.expressions.map(({ expression }) => expression);
  const scope = await scopeOf(actor, body, nodesRead(expressions, body.before ?? null));
  const reads = expressions.flatMap(({ fileReads }) => fileReads);
  if (reads.length > 0) {
    requireScope(actor, "files:read");
    const files = await filesFor(actor.workspaceId, reads, scope, sandbox);
    if ("message" in files) return failed({ message: String(files.message) });
    scope.$file = files.values;
  }
  const absent = inRunsOnly.find(
    (name) => !Object.hasOwn(scope, name) && expressions.some(({ names }) => names.includes(name)),
  );
  if (absent !== undefined) return failed({ message: `${absent} has a value in a run only` });
  const answer = await sandbox.run({
    scope: await knownValues(actor.workspaceId, scope).json(expressions),
    programs: expressions,
    owner: actor.workspaceId,
  });
  const reasons = answer.results.flatMap((result, index) => {
    if (result.ok) return [];
    const { message, position } = result.error;
    const undefinedName = /^(\S+) is not defined$/.exec(message)?.[1];
    const where = whole.at(plan.expressions[index]?.slot.path ?? "");
    return [{ message, position, ...where, ...(undefinedName !== undefined && { undefinedName }) }];
  });
  // A name that does not exist is a mistake; everything else may be due to the data.
  const reason = reasons.find(({ undefinedName }) => undefinedName !== undefined) ?? reasons[0];
  if (reason !== undefined) return failed(reason);
  const values: unknown[] = [];
  for (const result of answer.results) values.push(result.ok ? await parseOwnJson(result.json) : null);
  const [only] = answer.results;
  const value = whole.valueIn(await filledConfig(plan, values)) ?? null;
  const isSingle = whole.isText && plan.slots[0]?.template.isSingle === true;
  return { ok: true as const, value, type: isSingle && only?.ok === true ? only.type : typeof value };
}

/** What is evaluated, as a config. */
interface Whole {
  readonly isText: boolean;
  readonly planOf: (read: Reader) => ConfigPlan;
  readonly valueIn: (filled: JsonObject) => unknown;
  /** What an error says of a path in the config. */
  readonly at: (path: string) => { readonly path?: string };
}

function wholeOf({ expression, field, type }: Body): Whole | { readonly message: string } {
  const valueIn = (filled: JsonObject) => filled.expression;
  if (field !== "json") {
    const planOf = (read: Reader) => planConfig({ expression }, () => field, read);
    return { isText: true, planOf, valueIn, at: () => ({}) };
  }
  const json = parseOrExplain(expression);
  if ("message" in json) return json;
  const { value } = json;
  if (isJsonObject(value) && type != null) {
    const planOf = (read: Reader) => planNodeConfig(type, value, read);
    return { isText: false, planOf, valueIn: (filled) => filled, at: (path) => ({ path }) };
  }
  const planOf = (read: Reader) => planConfig({ expression: value }, () => "template", read);
  return { isText: false, planOf, valueIn, at: (path) => ({ path: path.replace(/^expression\.?/, "") }) };
}

function parseOrExplain(text: string): { readonly value: Json } | { readonly message: string } {
  try {
    return { value: parseSmallJson(text, jsonLevelsMax) as Json };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { message: `not valid JSON: ${error.message}` };
  }
}

/** The files that are read before the expression, or why they cannot be. */
async function filesFor(owner: string, reads: readonly FileRead[], scope: Scope, sandbox: Sandbox) {
  const plan = planConfig(Object.fromEntries(reads.map(({ key, argument }) => [key, argument])), () => "expression");
  const known = knownValues(owner, scope);
  try {
    const references = await resolveConfig(plan, known, sandbox, new AbortController().signal);
    return { values: await readReferences(owner, reads, references) };
  } catch (error) {
    if (error instanceof NodeFailure) return { message: error.message };
    throw error;
  }
}

interface Reason {
  readonly message: string;
  readonly position?: number | null;
  readonly path?: string;
  readonly undefinedName?: string;
}

function failed({ message, position = null, path, undefinedName }: Reason) {
  const error = { message, position, ...(path && { path }), ...(undefinedName && { undefinedName }) };
  return { ok: false as const, error };
}

/** The nodes whose outputs are needed; null if any may be. */
function nodesRead(expressions: readonly Expression[], before: string | null): readonly string[] | null {
  if (expressions.some(({ nodeIds }) => nodeIds === null)) return null;
  const ids = expressions.flatMap(({ nodeIds }) => nodeIds ?? []);
  return [...new Set(before === null ? ids : [...ids, before])].filter(isStorableText);
}

/** What the expression sees: the defaults, the execution's data, and the given data. */
async function scopeOf(
  actor: Actor,
  { executionId, context, before }: Body,
  nodeIds: readonly string[] | null,
): Promise<Scope> {
  const recorded = await scopeOfExecution(actor, executionId ?? null, nodeIds);
  const given = scopeOfContext(context);
  // A given output replaces only that node's.
  const $nodes = { ...asObject(recorded.$nodes), ...asObject(given.$nodes) };
  const { names, ...scope } = {
    $trigger: emptyTrigger,
    $vars: {},
    names: new Map<string, string>(),
    ...recorded,
    ...given,
    $nodes,
  };
  return { ...scope, $node: nodeBefore(scope, before ?? triggerSource, names) };
}

async function scopeOfExecution(actor: Actor, executionId: string | null, nodeIds: readonly string[] | null) {
  if (executionId === null) return {};
  const row = await findExecution(actor, executionId);
  const outcomes = (await recordedOutcomes([row.id], nodeIds)).get(row.id) ?? new Map();
  const nodes = [...outcomes].map(([id, outcome]) => [id, { output: visibleOutput(outcome)?.value }]);
  const version = await loadVersion(row.flowId, row.flowVersion);
  return {
    $trigger: await parseOwnJson(row.trigger),
    $nodes: Object.fromEntries(nodes),
    $vars: version?.variables.value ?? {},
    $execution: { id: row.id, startedAt: iso(row.startedAt) },
    $flow: { id: row.flowId, name: row.flowName },
    names: new Map(version?.allNodes.map(({ id, name }) => [id, name])),
  };
}

/** `$node`, as the node after this one would see it. */
function nodeBefore({ $trigger, $nodes }: Scope, id: string, names: ReadonlyMap<string, string>) {
  if (id === triggerSource) return { id, name: "Trigger", output: own($trigger, "body") ?? null };
  return { id, name: names.get(id) ?? id, output: own(own($nodes, id), "output") ?? null };
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function own(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function scopeOfContext(context: Body["context"]): Scope {
  const { trigger, nodes, vars, item, index } = context ?? {};
  return {
    ...(item === undefined ? {} : { $item: item }),
    ...(index === undefined ? {} : { $index: index }),
    ...(trigger === undefined ? {} : { $trigger: isJsonObject(trigger) ? { ...emptyTrigger, ...trigger } : trigger }),
    ...(nodes === undefined ? {} : { $nodes: nodes }),
    ...(vars === undefined ? {} : { $vars: vars }),
  };
}
