import { type JsonObject, jsonCharacters } from "#lib/engine/json.ts";
import type { NodeError } from "#lib/engine/outcome.ts";
import { type ConfigPlan, type Expression, fillConfig, readHere } from "#lib/expressions/expressions.ts";
import { jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { knownText } from "#lib/json/known-text.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { NodeFailure } from "#lib/nodes/define.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import type { Sandbox, SandboxResult } from "#lib/sandbox/sandbox.ts";
import { countedMax } from "./named-values.ts";
import type { Scope } from "./scope.ts";

/** How many results of maximum size a node's config may hold. */
const configResults = 8;

/** The parts of a scope that are needed here. */
export type Known = Pick<Scope, "owner" | "has" | "value" | "size" | "json">;

/** What is known outside of a run: values by name. */
export function knownValues(owner: string, values: Readonly<Record<string, unknown>>): Known {
  return {
    owner,
    has: (name) => Object.hasOwn(values, name),
    value: (name) => values[name],
    size: (name) => jsonCharacters(values[name], countedMax),
    json: async (expressions) => {
      const texts: Record<string, string> = {};
      for (const name of new Set(expressions.flatMap((expression) => expression.names)))
        if (Object.hasOwn(values, name)) texts[name] = await jsonInTurns(values[name]);
      return texts;
    },
  };
}

/** An expression that failed, with its position and the reason. */
export class ExpressionFailure extends NodeFailure {
  readonly expression: string;
  readonly position: number | null;

  constructor(field: string, expression: Expression, reason: string, position: number | null) {
    const where = position === null ? "" : ` at position ${position}`;
    super("EXPRESSION_FAILED", `${field}: \`${shortened(expression.written)}\` failed${where}: ${reason}`, { field });
    this.expression = expression.written;
    this.position = position;
  }

  details(): Pick<NodeError, "expression" | "position"> {
    return { expression: this.expression, ...(this.position === null ? {} : { position: this.position }) };
  }
}

/**
 * Replaces every template in the config with its value. Expressions that only read data are evaluated here; all
 * others of the node go to the sandbox in one message. Throws ExpressionFailure.
 */
export async function resolveConfig(
  plan: ConfigPlan,
  scope: Known,
  sandbox: Pick<Sandbox, "limits" | "run">,
  signal: AbortSignal,
): Promise<JsonObject> {
  const [problem] = plan.problems;
  if (problem !== undefined) {
    const message = `${problem.path}: not a valid expression: ${problem.message} (at ${problem.position})`;
    throw new NodeFailure("INVALID_EXPRESSION", message, { field: problem.path });
  }
  const expressions = plan.expressions;
  const { values, missing, error } = readHere(
    plan.code.length === 0 ? plan.evaluated : plan.evaluated.slice(0, expressions.length),
    scope,
  );
  const at = (index: number) => expressions[index] as (typeof expressions)[number];
  if (error !== null) {
    const { slot, expression } = at(error.index);
    throw new ExpressionFailure(slot.path, expression, error.message, error.position);
  }
  if (missing.length > 0) {
    const programs = missing.map((index) => at(index).expression);
    const { owner } = scope;
    const answer = await sandbox.run({ scope: await scope.json(programs), programs, owner, signal });
    for (const [index, result] of answer.results.entries()) {
      const { slot, expression } = at(missing[index] ?? -1);
      await yieldTurn();
      values[missing[index] ?? -1] = await programValue(result, slot.path, expression);
    }
  }
  // A single existing value cannot grow.
  if (expressions.length > 1 || expressions[0]?.expression.path === null)
    await requireRoomFor(values, sandbox.limits.resultBytes);
  const turn = yieldTurn();
  if (turn !== undefined) await turn;
  return await filledConfig(plan, values);
}

/** `fillConfig`, with the values that become parts of texts written in turns. */
export async function filledConfig(plan: ConfigPlan, values: readonly unknown[]): Promise<JsonObject> {
  const written = new Map<object, string>();
  for (const [index, { slot }] of plan.expressions.entries()) {
    const value = values[index];
    if (slot.template.isSingle || typeof value !== "object" || value === null || written.has(value)) continue;
    written.set(value, await jsonInTurns(value));
  }
  return fillConfig(plan, values, written);
}

/** A config may repeat a value, which is only a reference in memory but a full copy once sent or stored. */
async function requireRoomFor(values: readonly unknown[], resultBytes: number): Promise<void> {
  if (values.every((value) => typeof value !== "object" && typeof value !== "string")) return;
  const bytesMax = configResults * resultBytes;
  const counted = new Map<unknown, number>();
  let total = 0;
  for (const value of values) {
    const bytes = counted.get(value) ?? knownText(value)?.length ?? jsonBytesInTurns(value, bytesMax - total);
    const count = typeof bytes === "number" ? bytes : await bytes;
    if (typeof value === "object") counted.set(value, count);
    total += count;
    if (total > bytesMax) {
      const message = `The results of its expressions are larger than ${Math.round(bytesMax / 1024)} KiB together`;
      throw new NodeFailure("CONFIG_TOO_LARGE", message);
    }
    const turn = yieldTurn();
    if (turn !== undefined) await turn;
  }
}

async function programValue(result: SandboxResult, field: string, expression: Expression): Promise<unknown> {
  if (result.ok) return await parseOwnJson(result.json);
  throw new ExpressionFailure(field, expression, result.error.message, result.error.position);
}

function shortened(source: string): string {
  return source.length <= 200 ? source : `${source.slice(0, 200)}…`;
}
