import { singleton } from "./singleton.ts";

/** How long one piece of work may hold the event loop before it yields: well below what anyone notices. */
const turnMsMax = 20;

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
