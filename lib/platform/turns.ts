import { singleton } from "./singleton.ts";

/** How long work of ours may go on before others have a turn: well below what anyone notices. */
const turnMsMax = 20;

interface Turns {
  beganAt: number;
  readonly waiting: (() => void)[];
}

const turns = () => singleton<Turns>("turns", () => ({ beganAt: performance.now(), waiting: [] }));

/**
 * Lets everything else have its turn when this process has worked on end for too long. What only computes, however much
 * of it there is, would otherwise go on as one piece: no answer is read and no timer fires between promises. Those that
 * wait go on one at a time, in their order, with a look at sockets and timers between any two.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - turns().beganAt >= turnMsMax) await nextTurn();
}

/** Data above this take some tens of milliseconds for each look at all of them. */
const bytesAtOnce = 131_072;

/** Lets others have their turn between two looks at data of that size; what is small goes on at once. */
export async function giveWayAfter(bytes: number): Promise<void> {
  if (bytes > bytesAtOnce) await nextTurn();
}

/**
 * Lets everything else have its turn. Who waits for `setImmediate` goes on in one turn with all others that do: here the
 * pieces of requests that came at once follow each other, however many they are.
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
