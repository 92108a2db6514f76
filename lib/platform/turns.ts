import { singleton } from "./singleton.ts";

/** How long one piece of work may hold the event loop before it yields: well below what anyone notices. */
const turnMsMax = 10;

interface Turns {
  startedAt: number;
  readonly waiting: (() => void)[];
}

let own: Turns | undefined;
/** Cached, because each node of a run needs it. */
const turns = () => {
  own ??= singleton<Turns>("turns", () => ({ startedAt: performance.now(), waiting: [] }));
  return own;
};

/**
 * Yields to the event loop once this process has computed for too long without a break. Promises alone never yield: no
 * socket is read and no timer fires between them. Callers resume one at a time, in order, with sockets and timers
 * served in between. Returns undefined instead of a promise if there is no need to wait, because each node of a run
 * calls this.
 */
export function yieldTurn(): Promise<void> | undefined {
  return performance.now() - turns().startedAt >= turnMsMax ? nextTurn() : undefined;
}

/** Maps items one after the other, with `yieldTurn` in between. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  work: (item: Item, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    made.push(work(item, index));
    await yieldTurn();
  }
  return made;
}

/** One pass over more data takes tens of milliseconds. */
const bytesAtOnce = 131_072;

/** Yields after a pass over data of this size; does nothing for small data. */
export function yieldAfter(bytes: number): Promise<void> | undefined {
  return bytes > bytesAtOnce ? nextTurn() : undefined;
}

/**
 * Yields to the event loop. All callbacks of `setImmediate` run in one turn, so pieces of many requests would add up to
 * a stall; this queue resumes one caller per turn.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const all = turns();
    all.waiting.push(resolve);
    if (all.waiting.length === 1) setImmediate(next, all);
  });
}

function next(all: Turns): void {
  all.startedAt = performance.now();
  const resume = all.waiting.shift();
  if (all.waiting.length > 0) setImmediate(next, all);
  resume?.();
}

/** Large values that are processed concurrently. */
const largeAtOnce = 2;
/** After this many, the piece that has waited longest comes next. */
const oldestEvery = 4;

interface LargeWork {
  running: number;
  startedCount: number;
  readonly waiting: { readonly size: number; readonly begin: () => void }[];
}

let ownLarge: LargeWork | undefined;
const large = () => {
  ownLarge ??= singleton<LargeWork>("large-work", () => ({ running: 0, startedCount: 0, waiting: [] }));
  return ownLarge;
};

/**
 * Runs CPU-bound work that takes many turns, a few pieces at a time: with twenty, each yield would wait for all of
 * them, and twenty partial values would be in memory. The smallest comes first, but none starves. `size`: the
 * approximate bytes, to order the queue.
 */
export async function inLargeSlot<Made>(size: number, work: () => Promise<Made>): Promise<Made> {
  const all = large();
  if (all.running < largeAtOnce) all.running += 1;
  else await new Promise<void>((begin) => void all.waiting.push({ size, begin }));
  all.startedCount += 1;
  try {
    return await work();
  } finally {
    const next = nextOf(all);
    if (next === undefined) all.running -= 1;
    else next.begin();
  }
}

function nextOf({ waiting, startedCount }: LargeWork): LargeWork["waiting"][number] | undefined {
  const smallest = Math.min(...waiting.map(({ size }) => size));
  const at = startedCount % oldestEvery === 0 ? 0 : waiting.findIndex(({ size }) => size === smallest);
  return waiting.splice(Math.max(0, at), 1)[0];
}
