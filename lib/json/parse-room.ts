// Memory for values that are being parsed. A list of empty objects takes twenty times as much as its text: a few that
// are parsed together could end the process, and with it everybody's runs.
import { heapShareWith } from "#lib/platform/processes/memory-of.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** The heap in use, with what is being parsed, up to which parsing does not wait. */
const roomShare = 0.7;
/** The same for one value that has waited for long: much of what is in use may be garbage. */
const lastShare = 0.8;
const patienceMs = 5_000;
/** Memory comes back without notice. */
const checkMs = 50;
/** Thousands of small values may be parsed in a second. */
const lookMs = 5;

interface Waiting {
  readonly bytes: number;
  readonly since: number;
  readonly begin: () => void;
  readonly refuse: (error: NoMemory) => void;
}

/** There is no memory for a value, nor was there any for some time. */
export class NoMemory extends Error {
  constructor() {
    super("the server has no memory for it: try again later");
    this.name = "NoMemory";
  }
}

/**
 * Lets parsing begin while there is memory for its value. What waits begins in order, except that smaller values pass one
 * for which there is no memory yet. Once the first has waited for long, it begins alone, or is refused.
 */
export class ParseRoom {
  readonly #shareWith: (bytes: number) => number;
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  /** What is being parsed will take so much. */
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;
  #isFull = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(shareWith: (bytes: number) => number = heapShareWith, now = () => performance.now()) {
    this.#shareWith = shareWith;
    this.#now = now;
  }

  /** Parses a value of about so many bytes in memory. Throws NoMemory. */
  async during<Made>(bytes: number, parse: () => Promise<Made>): Promise<Made> {
    if (this.#waiting.length === 0 && this.#hasRoom(bytes)) this.#taken += bytes;
    else await this.#turn(bytes);
    try {
      return await parse();
    } finally {
      this.#taken -= bytes;
      this.check();
    }
  }

  /** Whether even small values wait. Looked at often. */
  get isFull(): boolean {
    const now = this.#now();
    if (now - this.#lookedAt >= lookMs) {
      this.#lookedAt = now;
      this.#isFull = this.#shareWith(this.#taken) > lastShare;
    }
    return this.#isFull;
  }

  /** Begins what there is memory for now. */
  check(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      if (this.#isLate(next) && this.#shareWith(next.bytes) > lastShare) next.refuse(new NoMemory());
      else {
        this.#taken += next.bytes;
        next.begin();
      }
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #next(): Waiting | undefined {
    const [first] = this.#waiting;
    if (first !== undefined && this.#isLate(first)) return this.#taken === 0 ? first : undefined;
    // Thousands may wait.
    if (!this.#hasRoom(0)) return undefined;
    return this.#waiting.find(({ bytes }) => this.#hasRoom(bytes));
  }

  #turn(bytes: number): Promise<void> {
    return new Promise((begin, refuse) => {
      this.#waiting.push({ bytes, since: this.#now(), begin, refuse });
      this.#timer ??= setInterval(() => this.check(), checkMs);
      this.check();
    });
  }

  #isLate({ since }: Waiting): boolean {
    return this.#now() - since >= patienceMs;
  }

  #hasRoom(bytes: number): boolean {
    return this.#shareWith(this.#taken + bytes) <= roomShare;
  }
}

/** This process's. */
export function parseRoom(): ParseRoom {
  return singleton("parse-room", () => new ParseRoom());
}

const [comma, colon, openList, openObject] = [0x2c, 0x3a, 0x5b, 0x7b];
/** Bytes of memory for a text's characters and for what these separate and open. */
const bytesOf = { character: 2, comma: 24, colon: 40, bracket: 56 } as const;
/** An empty object takes three characters, with its comma. */
const bytesMaxPerCharacter = 30;
const samples = 32;
const sampleCharacters = 256;

/** Roughly the memory that the value of a JSON text takes. */
export function valueBytes(text: string): number {
  if (text.length <= samples * sampleCharacters) return text.length * bytesMaxPerCharacter;
  let bytes = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    // At random, so that no text can hide what it is.
    const from = Math.floor(Math.random() * (text.length - sampleCharacters));
    for (let at = from; at < from + sampleCharacters; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === comma) bytes += bytesOf.comma;
      else if (unit === colon) bytes += bytesOf.colon;
      else if (unit === openObject || unit === openList) bytes += bytesOf.bracket;
    }
  }
  return text.length * (bytesOf.character + bytes / (samples * sampleCharacters));
}
