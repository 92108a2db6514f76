const [comma, colon, openList, openObject, lineFeed, carriageReturn] = [0x2c, 0x3a, 0x5b, 0x7b, 0x0a, 0x0d];

/**
 * Separators and opening brackets. Libraries parse an answer in one turn: 5 MiB of text take 15 ms, but 5 MiB of small
 * values 400 ms; this many take 60 ms. Only 2 % of prose are such characters, so no prose comes near.
 */
const marksMax = 150_000;

/** Estimates the cost of parsing JSON as its bytes arrive: for a whole text, or for each event of an event stream. */
export class JsonCost {
  readonly #isStream: boolean;
  #marks = 0;
  #isLineEmpty = true;

  constructor(contentType = "") {
    this.#isStream = /^text\/event-stream\b/i.test(contentType);
  }

  /** False once it is too much for a parser. */
  allows(part: Uint8Array): boolean {
    for (const byte of part) {
      if (byte === comma || byte === colon || byte === openList || byte === openObject) this.#marks += 1;
      if (this.#marks > marksMax) return false;
      if (!this.#isStream || byte === carriageReturn) continue;
      // An empty line ends an event.
      if (byte === lineFeed && this.#isLineEmpty) this.#marks = 0;
      this.#isLineEmpty = byte === lineFeed;
    }
    return true;
  }
}

export const tooCostly = `It has more than ${marksMax} values and names`;
