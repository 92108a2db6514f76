import { jsonCharacters } from "#lib/engine/json.ts";

/** Lists up to this size are shown in full, longer ones as their length. */
const listCharactersMax = 4_000;
/** The limit for all loops together, nested ones included. */
const allCharactersMax = 100_000;

/** The items of loops, by step: enough to detect a change, and never more than fits in a test. */
export class LoopItems {
  readonly #listed = new Map<string, unknown>();
  #left = allCharactersMax;

  keep(stepId: string, items: readonly unknown[]): void {
    const isShort = jsonCharacters(items, listCharactersMax) <= listCharactersMax;
    const listed = isShort ? items : { count: items.length };
    this.#left -= jsonCharacters(listed, listCharactersMax);
    if (this.#left >= 0) this.#listed.set(stepId, listed);
  }

  /** Undefined if they do not fit. */
  of(stepId: string): unknown {
    return this.#listed.get(stepId);
  }
}
