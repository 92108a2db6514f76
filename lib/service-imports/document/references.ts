import { documentLimits, UnreadableDocument } from "./imported.ts";

export type Found = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Found {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text that can be stored, cut to the limit, but not within a surrogate pair; empty for anything else. */
export function textOf(value: unknown, charactersMax: number): string {
  if (typeof value !== "string") return "";
  const whole = value.replaceAll("\u0000", "\ufffd").toWellFormed().trim();
  return whole.slice(0, charactersMax).replace(/[\ud800-\udbff]$/, "");
}

/** Follows a document's references, within a number of steps. */
export class Document {
  readonly root: Found;
  #steps = 0;

  constructor(root: Found) {
    this.root = root;
  }

  /** Counts a step of work. Throws UnreadableDocument if there were too many. */
  step(): void {
    this.#steps += 1;
    if (this.#steps > documentLimits.steps) {
      throw new UnreadableDocument("is too expensive to read: its schemas refer to each other too often");
    }
  }

  /** Resolves a value to its object, following references; null if it is not one. Throws UnreadableDocument. */
  meant(value: unknown): Found | null {
    const { found } = this.followed(value);
    return found;
  }

  /** The same, with the references that led to it. */
  followed(value: unknown): { readonly found: Found | null; readonly through: readonly string[] } {
    const through: string[] = [];
    let at = value;
    while (isObject(at) && typeof at.$ref === "string") {
      this.step();
      if (through.includes(at.$ref)) throw new UnreadableDocument(`has a $ref that leads to itself: ${shown(at.$ref)}`);
      through.push(at.$ref);
      at = this.#at(at.$ref);
    }
    return { found: isObject(at) ? at : null, through };
  }

  #at(reference: string): unknown {
    if (!reference.startsWith("#")) {
      throw new UnreadableDocument(`has a $ref that leads out of it, which is not followed: ${shown(reference)}`);
    }
    let at: unknown = this.root;
    for (const step of reference.slice(1).split("/").slice(1)) {
      const name = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
      at = Array.isArray(at) ? at[Number(name)] : isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
    }
    if (at === undefined)
      throw new UnreadableDocument(`has a $ref to something that does not exist: ${shown(reference)}`);
    return at;
  }
}

const shown = (reference: string) => JSON.stringify(textOf(reference, 200));

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
