import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { type ReadKind, type ReadText, readText } from "#lib/expressions/expressions.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { ReaderThread, unreadable } from "./reader-thread.ts";

/** Sources of more characters are read in a thread of their own: shorter ones take some milliseconds. */
const hereCharactersMax = 8_192;
/** Characters of short sources that are read before others have their turn. */
const turnCharactersMax = 16_384;
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
 * an item: first to find its sources, which it is told are unreadable.
 */
export async function readFor<Item, Made>(
  owner: string,
  items: readonly Item[],
  make: (item: Item, read: Reader) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  const turn = new Turn();
  for (const item of items) {
    const found = new Map<string, { readonly kind: ReadKind; readonly text: string }>();
    make(item, (kind, text) => {
      found.set(`${kind}:${text}`, { kind, text });
      return unreadable;
    });
    const read = new Map<string, ReadText>();
    for (const [key, { kind, text }] of found) {
      const isLong = text.length > hereCharactersMax;
      if (!isLong) await turn.take(text.length);
      read.set(key, isLong ? await readLong(owner, kind, text) : readText(kind, text));
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
