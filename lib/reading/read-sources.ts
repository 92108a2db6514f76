import { createHash } from "node:crypto";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { type ReadKind, type ReadText, readText } from "#lib/expressions/expressions.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { nextTurn } from "#lib/platform/turns.ts";

const idleMsMax = 60_000;
const memoryMbMax = 256;

export const unreadable: ReadText = { problem: { message: "reading it takes too much time or memory", position: 0 } };

/**
 * Reads one source after the other in a thread of its own, which is there while there is something to read. `readMsMax`:
 * far above what the longest source takes, also where other work has most of the machine.
 */
export class ReaderThread {
  readonly #readMsMax: number;
  #worker: Worker | null = null;
  /** It has begun to work, or has had time enough: if it ends, what it was given is the reason. */
  #isAnswerable = false;
  #settle: { resolve(read: ReadText): void; reject(error: Error): void } | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(readMsMax = 30_000) {
    this.#readMsMax = readMsMax;
  }

  /** What a text is as the string of a field of that kind. Rejects when there can be no thread. */
  read(kind: ReadKind, text: string): Promise<ReadText> {
    const read = this.#last.then(() => this.#send(kind, text));
    this.#last = read.catch(() => undefined);
    return read;
  }

  #send(kind: ReadKind, text: string): Promise<ReadText> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#endAfter(this.#readMsMax);
      this.#worker.postMessage({ kind, text });
    });
  }

  #start(): Worker {
    this.#isAnswerable = false;
    // Found from the working directory: the server's own modules are bundled and have no address of use here.
    const main = join(/* turbopackIgnore: true */ process.cwd(), "lib", "reading", "thread.ts");
    const worker = new Worker(/* turbopackIgnore: true */ main, {
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
    });
    let failure: Error | undefined;
    worker.on("message", (message: "ready" | ReadText) => {
      if (message === "ready") this.#isAnswerable = true;
      else this.#answer(message);
    });
    worker.on("error", (error: Error) => {
      failure = error;
    });
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = null;
      clearTimeout(this.#timer);
      if (this.#isAnswerable) this.#settle?.resolve(unreadable);
      else this.#settle?.reject(failure ?? new Error("the thread that reads sources did not start"));
      this.#settle = null;
    });
    return worker;
  }

  #answer(read: ReadText): void {
    this.#settle?.resolve(read);
    this.#settle = null;
    this.#worker?.unref();
    this.#endAfter(idleMsMax);
  }

  #endAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isAnswerable = true;
      void this.#worker?.terminate();
    }, ms).unref();
  }
}

/** Sources of more characters are read in a thread of their own: shorter ones take some milliseconds. */
const hereCharactersMax = 8_192;
/** Characters of short sources that are read before others have their turn. */
const turnCharactersMax = 8_192;
/** What it costs besides its characters to look at a source. */
const itemCharacters = 100;
const charactersKept = 4 * 1_048_576;

type Reader = typeof readText;

interface Shared {
  readonly thread: ReaderThread;
  /** What long sources were read as, by their hashes. */
  readonly known: LRUCache<string, ReadText>;
  /** What each owner has asked for last: nobody's sources stand before those of others more than once. */
  readonly owners: Map<string, Promise<unknown>>;
}

const shared = () =>
  singleton(
    "reading",
    (): Shared => ({
      thread: new ReaderThread(),
      known: new LRUCache({ maxSize: charactersKept }),
      owners: new Map(),
    }),
  );

/**
 * Makes something of every item for which sources have to be read, such as a plan of each node's config, without holding
 * up anybody: long sources are read elsewhere, and between short ones others have their turn. `make` is called twice for
 * an item: first to find its sources, which it is told are unreadable. With more than `expressionsMax` expressions in
 * templates nothing more is read: what has come so far is given, the last of it with the rest of its sources unreadable.
 */
export async function readFor<Item, Made>(
  owner: string,
  items: readonly Item[],
  make: (item: Item, read: Reader) => Made,
  expressionsMax = Number.POSITIVE_INFINITY,
): Promise<Made[]> {
  const made: Made[] = [];
  let expressions = 0;
  const turn = new Turn();
  for (const item of items) {
    if (expressions > expressionsMax) break;
    const found = new Map<string, { readonly kind: ReadKind; readonly text: string }>();
    make(item, (kind, text) => {
      found.set(`${kind}:${text}`, { kind, text });
      return unreadable;
    });
    const read = new Map<string, ReadText>();
    for (const [key, { kind, text }] of found) {
      if (expressions > expressionsMax) break;
      const isLong = text.length > hereCharactersMax;
      if (!isLong) await turn.take(text.length);
      const one = isLong ? await readLong(owner, kind, text) : readText(kind, text);
      if ("template" in one) expressions += one.template.segments.filter((part) => typeof part !== "string").length;
      read.set(key, one);
    }
    await turn.take(0);
    made.push(make(item, (kind, text) => read.get(`${kind}:${text}`) ?? unreadable));
  }
  return made;
}

/** Lets others have their turn after so many characters. */
class Turn {
  #characters = 0;

  async take(characters: number): Promise<void> {
    this.#characters += characters + itemCharacters;
    if (this.#characters <= turnCharactersMax) return;
    await nextTurn();
    this.#characters = 0;
  }
}

async function readLong(owner: string, kind: ReadKind, text: string): Promise<ReadText> {
  const { known, thread, owners } = shared();
  const key = `${kind}:${createHash("sha256").update(text).digest("base64")}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const before = owners.get(owner) ?? Promise.resolve();
  const reading = before.then(() => thread.read(kind, text));
  const settled = reading.catch(() => undefined);
  owners.set(owner, settled);
  try {
    const read = await reading;
    known.set(key, read, { size: text.length });
    return read;
  } finally {
    if (owners.get(owner) === settled) owners.delete(owner);
  }
}
