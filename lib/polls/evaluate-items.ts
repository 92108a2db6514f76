import { isJsonObject, type JsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { type ConfigPlan, type Expression, readHere } from "#lib/expressions/expressions.ts";
import { jsonBytes } from "#lib/json/json-bytes.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { writeJsonInTurns } from "#lib/json/write-json.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import type { Sandbox, SandboxAnswer, SandboxProgram } from "#lib/sandbox/sandbox.ts";
import { hashText, itemsMax, type PolledItem, pollFailure } from "./items.ts";

/** What a poll's expressions read: `$response`, `$vars`, `$flow`. */
export type PollScope = Readonly<Record<string, unknown>>;

interface Evaluating {
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
}

interface ItemRequest {
  readonly mode: "new" | "changed";
  readonly key: string | null;
}

/**
 * The items of an answer, with their keys. Expressions that only read data are evaluated here, item by item; all others
 * in the sandbox, in batches. Throws NodeFailure.
 */
export async function evaluateItems(
  { mode, key }: ItemRequest,
  plan: ConfigPlan,
  scope: PollScope,
  owner: string,
  evaluating: Evaluating,
): Promise<PolledItem[]> {
  const at = (path: string) => plan.expressions.find(({ slot }) => slot.path === path)?.expression;
  const listed = at("items");
  const [problem] = plan.problems;
  if (listed === undefined) throw pollFailure(`items: ${problem?.message ?? "is not an expression"}`, "items");
  const list = await oneValue(listed, scope, owner, evaluating);
  if (!Array.isArray(list)) throw pollFailure(`items: must be a list, but is ${typeLabel(list)}`, "items");
  if (list.length > itemsMax) throw pollFailure(`items: there are more than ${itemsMax} of them`, "items");
  const keyed = key === null ? undefined : at("key");
  const keys = keyed === undefined ? null : await keysOf(keyed, list, scope, owner, evaluating);
  const items: PolledItem[] = [];
  for (const [index, item] of list.entries()) {
    await yieldTurn();
    // As JSON, which distinguishes 1 from "1" and escapes U+0000 and lone surrogates.
    const own = keys?.[index] ?? null;
    const content = mode === "changed" || own === null ? hashText(await jsonOf(item)) : null;
    const identity = own === null ? `content ${content}` : `key ${await jsonOf(own)}`;
    items.push({ key: hashText(identity), content: mode === "changed" ? content : null, body: () => item });
  }
  return items;
}

function typeLabel(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return isJsonObject(value) ? "an object" : `a ${typeof value}`;
}

/** Smaller values are serialized in one piece. */
const bytesAtOnce = 262_144;

/** A value as JSON, which may be large. */
export async function jsonOf(value: unknown): Promise<string> {
  return await writeJsonInTurns(value ?? null, jsonBytes(value, bytesAtOnce), Number.POSITIVE_INFINITY);
}

/** Evaluates one value. Only plain paths are evaluated here: anything that iterates over an answer may take long. */
async function oneValue(expression: Expression, scope: PollScope, owner: string, { sandbox, signal }: Evaluating) {
  const { values, missing, error } = readHere([expression], {
    has: (name) => Object.hasOwn(scope, name),
    value: (name) => scope[name],
    size: () => Number.POSITIVE_INFINITY,
  });
  if (error !== null) throw pollFailure(`items: \`${expression.source}\` failed: ${error.message}`, "items");
  if (missing.length === 0) return values[0];
  const names = expression.names.filter((name) => Object.hasOwn(scope, name));
  const texts: [string, string][] = [];
  for (const name of names) texts.push([name, await jsonOf(scope[name])]);
  const answer = await sandbox.run({ scope: Object.fromEntries(texts), programs: [expression], owner, signal });
  return await resultOf(answer, "items", expression);
}

async function resultOf({ results: [result] }: SandboxAnswer, field: string, { source }: Pick<Expression, "source">) {
  if (result?.ok === true) return await parseOwnJson(result.json);
  const shown = source.length > 200 ? `${source.slice(0, 200)}…` : source;
  throw pollFailure(`${field}: \`${shown}\` failed: ${result?.error.message ?? "there was no answer"}`, field);
}

/** The size of a batch for the sandbox: items, and their characters as JSON. */
const together = { items: 1_000, characters: 262_144 } as const;

async function keysOf(
  expression: Expression,
  list: readonly unknown[],
  scope: PollScope,
  owner: string,
  evaluating: Evaluating,
): Promise<unknown[]> {
  const keys: unknown[] = [];
  for (let from = 0; from < list.length; ) {
    await yieldTurn();
    const here = keyInThread(expression, list[from], from, scope);
    if (here !== undefined) {
      keys.push(here.key);
      from += 1;
      continue;
    }
    const part = partFrom(list, from);
    keys.push(...(await keysInSandbox(expression, { items: part, from }, scope, owner, evaluating)));
    from += part.length;
  }
  return keys;
}

/** An item's key, if the expression only reads data; undefined if the sandbox is needed. */
function keyInThread(
  expression: Expression,
  item: unknown,
  index: number,
  scope: PollScope,
): { key: unknown } | undefined {
  const own: PollScope = { ...scope, $item: item, $index: index };
  const { values, missing, error } = readHere([expression], {
    has: (name) => Object.hasOwn(own, name),
    value: (name) => own[name],
    size: (name) => (name === "$item" ? sizeOf(item) : Number.POSITIVE_INFINITY),
  });
  if (error !== null) throw pollFailure(`key: failed for item ${index}: ${error.message}`, "key");
  return missing.length === 0 ? { key: values[0] ?? null } : undefined;
}

const countedMax = 100_000;
const sizeOf = (item: unknown) =>
  typeof item === "object" && item !== null ? jsonCharacters(item as JsonObject, countedMax) : 100;

function partFrom(list: readonly unknown[], from: number): unknown[] {
  const part: unknown[] = [];
  let characters = 0;
  for (const item of list.slice(from, from + together.items)) {
    characters += jsonBytes(item, together.characters);
    if (part.length > 0 && characters > together.characters) break;
    part.push(item);
  }
  return part;
}

/**
 * One program for a batch of items. The source is known to be a single expression, so it cannot break out of its
 * parentheses.
 */
async function keysInSandbox(
  expression: Expression,
  { items, from }: { readonly items: readonly unknown[]; readonly from: number },
  scope: PollScope,
  owner: string,
  { sandbox, signal }: Evaluating,
): Promise<unknown[]> {
  const texts: Record<string, string> = { $items: await jsonOf(items), $from: String(from) };
  for (const name of expression.names) {
    if (name !== "$item" && Object.hasOwn(scope, name)) texts[name] = await jsonOf(scope[name]);
  }
  const code = expression.kind === "body" ? `{\n${expression.source}\n}` : `(\n${expression.source}\n)`;
  const source = `$items.map(($item, place) => { const $index = $from + place; return ((() => ${code})()) ?? null; })`;
  const program: SandboxProgram = { kind: "expression", source };
  const answer = await sandbox.run({ scope: texts, programs: [program], owner, signal });
  const keys = await resultOf(answer, "key", expression);
  if (!Array.isArray(keys) || keys.length !== items.length) throw pollFailure("key: gave no key for each item", "key");
  return keys;
}
