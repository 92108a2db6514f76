import type { Tree } from "#lib/expressions/expressions.ts";

/** Paths of an item's data that have moved here, by `movedPath`, with their new code. */
export type Moved = ReadonlyMap<string, string>;

/** A path as one text. Not joined by dots: a form's labels may have some. */
export const movedPath = (...names: readonly string[]) => names.join("\u0000");

/** A node's name in the name of another, or in a message. */
export const shownName = (name: string) => name.slice(0, 100).toWellFormed();

/** A node's output: one item's data, or a list. */
export interface Source {
  readonly shape: "one" | "list";
  /** An expression for the data that needs no parentheses around it. */
  readonly json: string;
  readonly moved?: Moved;
  /** Lists with the same line are paired: the tenth item of one is made from the tenth of the other. */
  readonly line?: symbol;
  /** Set if it may turn out to be a list, such as an answer. */
  readonly mayBeList?: { report(): void };
  /** An expression that is true if it exists: its branch may not be taken. */
  readonly isThere: string;
}

/** What a node's expressions may read. */
export interface Reading {
  /** All items of the node's input. */
  readonly input: Source;
  /** The current item. */
  readonly item: Source;
  /** The name of a variable with the input's items, for code that changes them. */
  readonly all?: string | undefined;
  /** An expression for the item's index. */
  readonly index: string;
  /** The line of the item's list. */
  readonly line?: symbol | undefined;
  /** The output of a node by name, or why it cannot be read. */
  of(name: string): Source | string;
  /** The node whose URL resumes the run; null if there is none, or more than one. */
  readonly waitId: string | null;
  /** The name of the previous node, if there is exactly one. */
  readonly before: string | null;
  /** Records that a time or a variable is read. */
  note(what: "time" | { readonly variable: string }): void;
}

/** Something without a counterpart here; `message` names it. */
export class NotConverted extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotConverted";
  }
}

/** A member access: `.id`, or `["the id"]`. */
export function memberOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A member's name in an object literal; `__proto__` is an ordinary name. */
export function keyOf(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : JSON.stringify(name);
}

/** Code that reads a path such as `orders[0].id`, with `?.` for missing parts. */
export function pathIn(base: string, path: string): string {
  const [first = "", ...rest] = path.replace(/\[(["']?)([^\]"']+)\1\]/g, ".$2").split(".");
  return base + memberOf(first) + rest.map((name) => `?.${memberOf(name).replace(/^\./, "")}`).join("");
}

/** Code for a list of the items, whatever the shape. */
export function listOf(source: Source): string {
  const { shape, json, mayBeList } = source;
  if (shape === "list") return json;
  return mayBeList === undefined ? `[${restoredItem(source)}]` : `[${json}].flat()`;
}

/** An item's whole data, with moved paths put back. */
export function restoredItem({ json, moved }: Source): string {
  if (moved === undefined) return json;
  return `({ ...${json}, ${membersOf([...moved].map(([path, there]) => [path.split("\u0000"), there]))} })`;
}

/** Code for the members of an object. */
function membersOf(paths: readonly (readonly [path: readonly string[], there: string])[]): string {
  const members = [...Map.groupBy(paths, ([[name = ""]]) => name)].map(([name, inside]) => {
    const [only] = inside;
    const nested = inside.map(([[, ...rest], there]) => [rest, there] as const);
    const value = inside.length === 1 && only?.[0].length === 1 ? only[1] : `{ ${membersOf(nested)} }`;
    return `[${JSON.stringify(name)}]: ${value}`;
  });
  return members.join(", ");
}

/** A name that a piece of code does not use itself. */
export function freeName(baseName: string, used: ReadonlySet<string>): string {
  let name = baseName;
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

/** An own member of a record. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
