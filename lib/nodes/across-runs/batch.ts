import { z } from "zod";
import { isJsonObject, type JsonObject, jsonCharacters } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { anyField, expressionField } from "../config-fields.ts";
import { defineNode, levelsMax, NodeFailure } from "../define.ts";

const itemsMax = 10_000;
const yearMs = 366 * 24 * 3_600_000;
const windowDefault = 30 * 24 * 3_600_000;

/** Names of one object in a key: they are sorted in one go. */
const namesMax = 50_000;

interface Batch {
  readonly key: unknown;
  readonly items: unknown[];
}

/** What an item is grouped by. `name`: the same for equal values. */
interface Group {
  readonly value: unknown;
  readonly name: string;
}

/** Groups items, and drops those that earlier runs have had. */
export const batch = defineNode({
  type: "batch",
  name: "Batch",
  keywords: ["chunk", "group"],
  family: "data",
  icon: "packages",
  iconPath:
    "M7 16.5l-5 -3l5 -3l5 3v5.5l-5 3l0 -5.5M2 13.5v5.5l5 3M7 16.545l5 -3.03M17 16.5l-5 -3l5 -3l5 3v5.5l-5 3l0 -5.5M12 19l5 3M17 16.5l5 -3M12 13.5v-5.5l-5 -3l5 -3l5 3v5.5M7 5.03v5.455M12 8l5 -3",
  summary: ["{dedupe?}new ones of {items}", "{items}[ by {by}][, {size} at once]"],
  description: `Groups items into batches, for a loop over them or for bulk requests: of at most \`size\` items,
one per value of \`by\`, or both. Output: \`{batches}\`, a list of \`{key, items}\` ordered by their first
items; \`key\` is the value of \`by\`, else null.

With \`dedupe\`, items that earlier runs of the flow have had here are left out: \`{fresh, seen}\`, and with \`size\` or \`by\`
\`batches\` of the fresh ones. An item is identified by \`dedupe.key\` (by default its whole content), for \`dedupe.window\` milliseconds: 30 days by default.
It counts as seen once this node is done, even if the run fails later; a retry of that run finds its items fresh again.

\`by\` and \`dedupe.key\` are a field of the items such as \`id\` or \`customer.country\`, or an expression that gives a list with
a value for each item. At most ${itemsMax} items.

Example: \`{"items": "$node.output.body", "by": "country", "size": 100, "dedupe": {"key": "id"}}\`.`,
  effect: "outside",
  acts: ({ dedupe }) => (isJsonObject(dedupe) ? "write" : "none"),
  collects: true,
  handles: plainHandle,
  config: z.object({
    items: expressionField({
      title: "Items",
      description: "The list: an expression such as $node.output.rows.",
      examples: ["$node.output.rows"],
    }),
    size: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(itemsMax, `must be at most ${itemsMax}`)
      .optional()
      .meta({ title: "Size", description: "The maximum number of items in a batch. Default: all." }),
    by: anyField({ title: "Group by", description: "A field of the items, or a list with a value for each." }),
    dedupe: z
      .object({
        key: anyField({
          title: "Key",
          description: "What identifies an item: a field, or a list with a value for each.",
        }),
        window: z
          .number("must be a number of milliseconds")
          .min(1, "must be at least 1")
          .max(yearMs, `must be at most ${yearMs} (a year)`)
          .optional()
          .default(windowDefault)
          .meta({
            title: "Remember for",
            description: "How long an item is remembered, in milliseconds. Default: 30 days.",
          }),
      })
      .optional()
      .meta({ title: "Leave out repeated items", description: "Items that earlier runs of the flow have had here." }),
  }),
  example: { items: "$node.output.body", by: "country", size: 100, dedupe: { key: "id", window: 86_400_000 } },
  run: async ({ items, size, by, dedupe }, context) => {
    const all = listOf(items);
    const groups = by === undefined || by === null ? null : await groupsOf(valuesOf(all, by, "by"));
    if (dedupe === undefined) return { output: { batches: batchesOf(all, groups, size) } };
    const given = dedupe.key === undefined || dedupe.key === null ? all : valuesOf(all, dedupe.key, "dedupe.key");
    const outputOf = (areNew: readonly boolean[]) => {
      const only = <T>(list: readonly T[], isNew: boolean) =>
        list.filter((_, index) => (areNew[index] === true) === isNew);
      const [fresh, seen] = [only(all, true), only(all, false)];
      if (groups === null && size === undefined) return { fresh, seen };
      return { fresh, seen, batches: batchesOf(fresh, groups === null ? null : only(groups, true), size) };
    };
    const keys = await keysOf(given, "dedupe.key");
    return { output: outputOf(await context.areNew(keys, dedupe.window, outputOf)) };
  },
});

function listOf(items: unknown): readonly unknown[] {
  if (!Array.isArray(items)) throw new NodeFailure("INVALID_CONFIG", "items: must be a list", { field: "items" });
  if (items.length > itemsMax)
    throw new NodeFailure("TOO_MANY_ITEMS", `items: at most ${itemsMax}`, { field: "items" });
  return items;
}

/** A value for each item: from a list, or by a path in each item. Missing values are null. */
function valuesOf(items: readonly unknown[], given: unknown, field: string): readonly unknown[] {
  if (typeof given === "string" && given !== "") {
    const path = given.split(".");
    if (path.length > levelsMax) {
      throw new NodeFailure("INVALID_CONFIG", `${field}: must have at most ${levelsMax} parts`, { field });
    }
    return items.map((item) => path.reduce(memberOf, item) ?? null);
  }
  if (Array.isArray(given) && given.length === items.length) return given;
  const message = `${field}: must be a field's name, or a list of ${items.length} values, one for each item`;
  throw new NodeFailure("INVALID_CONFIG", message, { field });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;
}

async function groupsOf(values: readonly unknown[]): Promise<Group[]> {
  const names = await keysOf(values, "by");
  return values.map((value, index) => ({ value, name: names[index] ?? "" }));
}

/** A text for each value. Equal values have the same, whatever the order of their members. */
async function keysOf(values: readonly unknown[], field: string): Promise<string[]> {
  const keys: string[] = [];
  for (const value of values) {
    const key = keyOf(value ?? null, 0, field);
    keys.push(typeof key === "string" ? key : await key);
    await yieldTurn();
  }
  return keys;
}

/** Larger values are written in turns. */
const smallCharacters = 16_384;

function keyOf(value: unknown, level: number, field: string): string | Promise<string> {
  if (level > levelsMax) throw new NodeFailure("INVALID_CONFIG", `${field}: is nested too deeply`, { field });
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isSmall = jsonCharacters(value, smallCharacters) <= smallCharacters;
  return isSmall ? JSON.stringify(inOrder(value, level, field)) : largeKeyOf(value, level, field);
}

async function largeKeyOf(value: object, level: number, field: string): Promise<string> {
  const parts: string[] = [];
  const names = Array.isArray(value) ? null : namesInOrder(value, field);
  for (const name of names ?? (value as readonly unknown[]).keys()) {
    const key = keyOf((value as Readonly<Record<string | number, unknown>>)[name], level + 1, field);
    const text = typeof key === "string" ? key : await key;
    parts.push(names === null ? text : `${JSON.stringify(name)}:${text}`);
    await yieldTurn();
  }
  return names === null ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

/** As in the object that `inOrder` makes: names that are indexes come first. */
function namesInOrder(object: object, field: string): string[] {
  const names = Object.keys(object);
  if (names.length > namesMax) {
    throw new NodeFailure("INVALID_CONFIG", `${field}: has an object with more than ${namesMax} names`, { field });
  }
  return Object.keys(Object.fromEntries(names.sort().map((name) => [name, null])));
}

function inOrder(value: unknown, level: number, field: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (level > levelsMax) throw new NodeFailure("INVALID_CONFIG", `${field}: is nested too deeply`, { field });
  if (Array.isArray(value)) return value.map((item) => inOrder(item, level + 1, field));
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member, level + 1, field)]));
}

function batchesOf(items: readonly unknown[], groups: readonly Group[] | null, size = itemsMax): Batch[] {
  const batches: Batch[] = [];
  const open = new Map<string, Batch>();
  for (const [index, item] of items.entries()) {
    const { value = null, name = "" } = groups?.[index] ?? {};
    let last = open.get(name);
    if (last === undefined || last.items.length >= size) {
      last = { key: value, items: [] };
      open.set(name, last);
      batches.push(last);
    }
    last.items.push(item);
  }
  return batches;
}
