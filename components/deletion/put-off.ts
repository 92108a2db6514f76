import { showToast } from "#components/toast/toast.ts";

/** A deletion that can still be taken back. */
export interface PutOff {
  /** Of what is deleted: lists leave it out from now on. */
  readonly id: string;
  /** Told in a toast, for as long as it can be taken back. */
  readonly message: string;
  /** Does it for good. It never rejects: it tells itself what did not work. */
  readonly run: () => Promise<void>;
}

interface Waiting {
  readonly settle: () => Promise<void>;
  readonly undo: () => void;
}

/** What can be taken back, in the order in which it was deleted. */
const waiting = new Map<string, Waiting>();
const listeners = new Set<() => void>();
let going: ReadonlySet<string> = new Set();

/** The ids of what is deleted as far as anybody here is to see. */
export const goingNow = (): ReadonlySet<string> => going;

export function watchGoing(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Deletes something as soon as its toast is gone, unless it is taken back before; at once when the page is left, also by
 * closing it. Nobody waits for an answer then, so `run` must send a request that outlives the page.
 */
export function putOff({ id, message, run }: PutOff): void {
  if (going.has(id)) return;
  set(new Set([...going, id]));
  const forget = () => set(new Set([...going].filter((other) => other !== id)));
  const settle = async () => {
    if (!waiting.delete(id)) return;
    await run();
    forget();
  };
  const takeBack = () => {
    if (waiting.delete(id)) forget();
  };
  // Without the toast, there is nothing to take it back by.
  const shown = showToast({ message, undo: takeBack, onGone: () => void settle() });
  const undo = () => {
    takeBack();
    void shown.then((hide) => hide());
  };
  watchPage();
  waiting.set(id, { settle, undo });
  shown.catch(settle);
}

/** Does for good what can still be taken back: before who is signed in, or where they work, changes. */
export async function settleAll(): Promise<void> {
  await Promise.all([...waiting.values()].map(({ settle }) => settle()));
}

let isWatching = false;

/**
 * Settles all when the page is left; one that is frozen, as phones do with those in the background, may never be heard of
 * again. Ctrl Z takes the last back, unless it is meant for what is being written or drawn.
 */
function watchPage(): void {
  if (isWatching) return;
  isWatching = true;
  window.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    const last = [...waiting.values()].at(-1);
    if (!isUndo || last === undefined || event.defaultPrevented || isWriting(event.target)) return;
    event.preventDefault();
    last.undo();
  });
  window.addEventListener("pagehide", () => void settleAll());
  document.addEventListener("freeze", () => void settleAll());
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function set(next: ReadonlySet<string>): void {
  going = next;
  for (const listener of listeners) listener();
}
