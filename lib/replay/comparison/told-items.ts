import { jsonCharacters } from "#lib/engine/json.ts";

/** Lists up to this size are told as they are, of longer ones how many items they have. */
const listCharactersMax = 4_000;
/** What is told of all loops together, those within others included. */
const allCharactersMax = 100_000;

/** What loops went over, by step: enough to tell a change of it, and never more than a test has room for. */
export class ToldItems {
  readonly #told = new Map<string, unknown>();
  #left = allCharactersMax;

  keep(stepId: string, items: readonly unknown[]): void {
    const isShort = jsonCharacters(items, listCharactersMax) <= listCharactersMax;
    const told = isShort ? items : { count: items.length };
    this.#left -= jsonCharacters(told, listCharactersMax);
    if (this.#left >= 0) this.#told.set(stepId, told);
  }

  /** Undefined where nothing is told. */
  of(stepId: string): unknown {
    return this.#told.get(stepId);
  }
}
