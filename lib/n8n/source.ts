import type { Tree } from "./expressions/tree.ts";

/** Paths of an item's data that are elsewhere here, joined by dots: `execution.id`; and where. */
export type Moved = ReadonlyMap<string, string>;

/** What a node passes on: one item's data, or a list of items' data. */
export interface Source {
  readonly shape: "one" | "list";
  /** An expression for the data that needs no parentheses around it. */
  readonly json: string;
  readonly moved?: Moved;
  /** Lists with the same line have their items in the same order: one's tenth is made from the other's tenth. */
  readonly line?: symbol;
  /** It may turn out to be a list: an answer is not known in advance. */
  readonly mayBeList?: { tell(): void };
  /** An expression that says whether it is there: not so if its branch was not taken. */
  readonly isThere: string;
}

/** What an expression of a node may read. */
export interface Reading {
  /** Everything the node takes. */
  readonly input: Source;
  /** The item that it is about. */
  readonly item: Source;
  /** An expression for the item's place. */
  readonly index: string;
  /** The line of the list that the item is of. */
  readonly line?: symbol | undefined;
  /** What a node of this name hands on, or why it cannot be read. */
  of(name: string): Source | string;
  /** The node by whose address a run is woken; null if there is none, or several. */
  readonly waitId: string | null;
  /** The name of the node before, if there is one only. */
  readonly before: string | null;
  /** Notes that times are read, and that a variable is. */
  note(what: "time" | { readonly variable: string }): void;
}

/** Something that has no counterpart here; `message` says what, for whoever fixes it. */
export class NotConverted extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotConverted";
  }
}

/** A member of what an expression gives: `.id`, or `["the id"]`. */
export function memberOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A member's name in an object: `__proto__` is one like any other. */
export function keyOf(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : JSON.stringify(name);
}

/** What a path with dots leads to; what is missing on the way does no harm. */
export function pathIn(base: string, path: string): string {
  const [first = "", ...rest] = path.split(".");
  return base + memberOf(first) + rest.map((name) => `?.${memberOf(name).replace(/^\./, "")}`).join("");
}

/** A list of the items, whatever the shape. */
export function listOf(source: Source): string {
  const { shape, json, mayBeList } = source;
  if (shape === "list") return json;
  return mayBeList === undefined ? `[${wholeOf(source)}]` : `[${json}].flat()`;
}

/** An item's data as a whole, with what is elsewhere put where it was. */
export function wholeOf({ json, moved }: Source): string {
  if (moved === undefined) return json;
  const nested = new Map<string, string[]>();
  for (const [path, there] of moved) {
    const dot = path.indexOf(".");
    const first = dot === -1 ? path : path.slice(0, dot);
    const inside = nested.get(first) ?? [];
    inside.push(
      dot === -1
        ? there
        : `[${JSON.stringify(
            path
              .slice(dot + 1)
              .split(".")
              .at(-1),
          )}]: ${there}`,
    );
    nested.set(first, inside);
  }
  const members = [...nested].map(([name, inside]) => {
    const isNested = inside[0]?.startsWith("[") === true;
    return `[${JSON.stringify(name)}]: ${isNested ? `{ ${inside.join(", ")} }` : inside[0]}`;
  });
  return `({ ...${json}, ${members.join(", ")} })`;
}

/** A name that a piece of code does not use itself. */
export function freeName(wanted: string, used: ReadonlySet<string>): string {
  let name = wanted;
  while (used.has(name)) name += "_";
  return name;
}

/** All names in a tree. */
export function namesIn(root: Tree): ReadonlySet<string> {
  const names = new Set<string>();
  const stack: unknown[] = [root];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (typeof item !== "object" || item === null) continue;
    if ("type" in item && item.type === "Identifier" && "name" in item) names.add(String(item.name));
    for (const child of Array.isArray(item) ? item : Object.values(item)) if (child !== null) stack.push(child);
  }
  return names;
}

/** What a table has under a name, whatever the name is. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
