import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { type Reader, type ReadKind, type ReadText, readText } from "#lib/expressions/expressions.ts";
import { programFile } from "#lib/platform/programs.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { nextTurn } from "#lib/platform/turns.ts";

const idleMsMax = 60_000;
const memoryMbMax = 256;

export const unreadable: ReadText = { problem: { message: "reading it takes too much time or memory", position: 0 } };

/**
 * Parses one source after the other in a worker thread, which lives while there is something to parse. `readMsMax`: far
 * more than the longest source takes, even on a busy machine.
 */
export class ReaderThread {
  readonly #readMsMax: number;
  #worker: Worker | null = null;
  /** The thread has started to parse, or has had enough time to: if it exits now, its source is to blame. */
  #isAnswerable = false;
  #settle: { resolve(read: ReadText): void; reject(error: Error): void } | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(readMsMax = 30_000) {
    this.#readMsMax = readMsMax;
  }

  /** Parses a text as the string of a field of that kind. Rejects if no thread can be started. */
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
    const worker = new Worker(/* turbopackIgnore: true */ programFile("lib/reading/thread.ts"), {
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

/** Longer sources are parsed in a worker thread; shorter ones take a few milliseconds. */
const hereCharactersMax = 8_192;
/** Characters of short sources parsed before yielding. */
const turnCharactersMax = 8_192;
/** The fixed cost of a source, in characters. */
const itemCharacters = 100;
const charactersKept = 4 * 1_048_576;

interface Shared {
  readonly thread: ReaderThread;
  /** Parsed long sources, by hash. */
  readonly known: LRUCache<string, ReadText>;
  /** Each owner's latest request: an owner gets ahead of another at most once. */
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
 * Makes something from each item whose sources have to be parsed, such as a plan from a node's config, without blocking
 * the event loop: long sources are parsed in a thread, and short ones here, yielding in between. `make` is called twice
 * for an item: first to find its sources, with none of them parsed. Once there are more than `expressionsMax`
 * expressions, unreadable ones included, nothing more is parsed: the result so far is returned, without the rest of the
 * last item's sources.
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
    let strings = 0;
    make(item, (kind, text) => {
      strings += 1;
      found.set(`${kind}:${text}`, { kind, text });
      return null;
    });
    await turn.take(strings * itemCharacters);
    const read = new Map<string, ReadText>();
    for (const [key, { kind, text }] of found) {
      if (expressions > expressionsMax) break;
      const isLong = text.length > hereCharactersMax;
      if (!isLong) await turn.take(text.length);
      const source = isLong ? await readLong(owner, kind, text) : readText(kind, text);
      if ("template" in source)
        expressions += source.template.segments.filter((part) => typeof part !== "string").length;
      else if ("problem" in source) expressions += 1;
      read.set(key, source);
    }
    await turn.take(0);
    made.push(make(item, (kind, text) => read.get(`${kind}:${text}`) ?? null));
    await turn.take(strings * itemCharacters);
  }
  return made;
}

/** Yields after this many characters. */
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
  const cached = known.get(key);
  if (cached !== undefined) return cached;
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
