// Work that continues after an answer. Some hosts suspend a function as soon as it has answered, unless they are told
// about work in progress, through the object that Next's own `after` uses. Other hosts have no such object.
import type pg from "pg";

interface RequestContext {
  get?(): { waitUntil?(work: Promise<unknown>): void } | undefined;
}

/** Keeps the function of this request running until the work has ended, on hosts that would suspend it. */
export function keepRunning(work: Promise<unknown>): void {
  const context: RequestContext | undefined = Reflect.get(globalThis, Symbol.for("@next/request-context"));
  context?.get?.()?.waitUntil?.(work.catch(() => {}));
}

/**
 * Keeps functions running until the pool has closed its idle connections. Suspended functions would hold them, and the
 * database would soon have none left.
 */
export function closeIdleConnections(pool: pg.Pool, idleMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  let end = () => {};
  pool.on("release", () => {
    clearTimeout(timer);
    end(); // A later wait takes over.
    keepRunning(
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    );
    timer = setTimeout(() => end(), idleMs + 100);
    timer.unref();
  });
}
