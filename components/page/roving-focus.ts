import { type KeyboardEvent, useEffect, useRef } from "react";

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Makes a column of buttons and links one tab stop: the arrow keys, Home and End move between them, and Tab returns to
 * the one that was focused last. They may come and go, and need not know of it.
 */
export function useRovingFocus<Column extends HTMLElement>() {
  const column = useRef<Column>(null);
  const stop = useRef<HTMLElement | null>(null);
  const items = () => [...(column.current?.querySelectorAll<HTMLElement>("button, a") ?? [])];
  const stopAt = (item: HTMLElement | undefined) => {
    stop.current = item ?? null;
    for (const other of items()) other.tabIndex = other === item ? 0 : -1;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the column and its stop are read from refs
  useEffect(() => {
    const keep = () => {
      const all = items();
      stopAt(all.find((item) => item === stop.current) ?? all[0]);
    };
    const changes = new MutationObserver(keep);
    if (column.current !== null) changes.observe(column.current, { childList: true, subtree: true });
    keep();
    return () => changes.disconnect();
  }, []);
  return {
    focusFirst: () => items()[0]?.focus(),
    /** The column's own props. */
    columnProps: {
      ref: column,
      onFocus: ({ target }: { readonly target: HTMLElement }) => {
        // React passes on events of the column's dialogs, too.
        if (items().includes(target)) stopAt(target);
      },
      onKeyDown: (event: KeyboardEvent) => {
        const all = items();
        const at = event.target instanceof HTMLElement ? all.indexOf(event.target) : -1;
        const step = steps[event.key];
        if (step === undefined || at === -1 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        all[step(at, all.length - 1)]?.focus();
        event.preventDefault();
      },
    },
  };
}
