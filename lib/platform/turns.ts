import { singleton } from "./singleton.ts";

/** How long one piece of work may hold the event loop before it yields: well below what anyone notices. */
const turnMsMax = 10;

interface Turns {
  beganAt: number;
  readonly waiting: (() => void)[];
}

let own: Turns | undefined;
/** Found once: each node of a run asks. */
const turns = () => {
  own ??= singleton<Turns>("turns", () => ({ beganAt: performance.now(), waiting: [] }));
  return own;
};

/**
 * Yields to the event loop once this process has computed for too long without a break. Promises alone never yield: no
 * socket is read and no timer fires between them. Callers resume one at a time, in order, with sockets and timers served
 * between any two. Each node of a run asks, so that no promise is made where there is no need to wait.
 */
export function yieldTurn(): Promise<void> | undefined {
  return performance.now() - turns().beganAt >= turnMsMax ? nextTurn() : undefined;
}

/** Maps items one after the other, yielding in between as `yieldTurn` does. */
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

/** Above this size, one pass over the data takes tens of milliseconds. */
const bytesAtOnce = 131_072;

/** Yields between two passes over data of that size; does nothing for less. */
export function giveWayAfter(bytes: number): Promise<void> | undefined {
  return bytes > bytesAtOnce ? nextTurn() : undefined;
}

/**
 * Yields to the event loop. All callbacks of `setImmediate` run in one turn, so that pieces of many requests would add up
 * to one stall; this queue resumes one caller per turn.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const all = turns();
    all.waiting.push(resolve);
    if (all.waiting.length === 1) setImmediate(next, all);
  });
}

function next(all: Turns): void {
  all.beganAt = performance.now();
  const goOn = all.waiting.shift();
  if (all.waiting.length > 0) setImmediate(next, all);
  goOn?.();
}

/** Large values that are parsed, measured or written at once. */
const largeAtOnce = 2;
/** Every so many, the one that has waited longest comes next. */
const oldestEvery = 4;

interface LargeWork {
  running: number;
  begun: number;
  readonly waiting: { readonly size: number; readonly begin: () => void }[];
}

let ownLarge: LargeWork | undefined;
const large = () => {
  ownLarge ??= singleton<LargeWork>("large-work", () => ({ running: 0, begun: 0, waiting: [] }));
  return ownLarge;
};

/**
 * Does work that computes in many turns, and waits for nothing else. A few at a time: the pieces of twenty would make each
 * call that yields wait for all of them, and keep twenty half-made values in memory. The smallest comes first, but none
 * waits forever. `size`: about how many bytes there are, to order those that wait.
 */
export async function inLargeSlot<Made>(size: number, work: () => Promise<Made>): Promise<Made> {
  const all = large();
  if (all.running < largeAtOnce) all.running += 1;
  else await new Promise<void>((begin) => void all.waiting.push({ size, begin }));
  all.begun += 1;
  try {
    return await work();
  } finally {
    const next = nextOf(all);
    if (next === undefined) all.running -= 1;
    else next.begin();
  }
}

function nextOf({ waiting, begun }: LargeWork): LargeWork["waiting"][number] | undefined {
  const smallest = Math.min(...waiting.map(({ size }) => size));
  const at = begun % oldestEvery === 0 ? 0 : waiting.findIndex(({ size }) => size === smallest);
  return waiting.splice(Math.max(0, at), 1)[0];
}
