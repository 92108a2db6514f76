"use client";
import { useRef } from "react";
import styles from "./tick.module.css";

/** Selected rows of a list. */
export interface Tick {
  readonly ids: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly set: (ids: readonly string[], isChosen: boolean) => void;
  /** Selects one; with Shift, all from the previous one. */
  readonly toggle: (id: string, isRange: boolean) => void;
}

/** The selection of a list's rows; null if nothing can be selected. */
export function useTick(
  rows: readonly { readonly id: string }[],
  chosen: ReadonlySet<string> | undefined,
  onChoose: ((chosen: ReadonlySet<string>) => void) | undefined,
): Tick | null {
  const last = useRef<string | null>(null);
  if (chosen === undefined || onChoose === undefined) return null;
  const ids = rows.map(({ id }) => id);
  const set: Tick["set"] = (given, isChosen) => {
    const next = new Set(chosen);
    for (const id of given) isChosen ? next.add(id) : next.delete(id);
    onChoose(next);
  };
  const toggle: Tick["toggle"] = (id, isRange) => {
    const [from, to] = [ids.indexOf(last.current ?? id), ids.indexOf(id)];
    const range = isRange && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    last.current = id;
    set(range, !chosen.has(id));
  };
  return { ids, chosen, set, toggle };
}

export function TickAll({ tick }: { readonly tick: Tick }) {
  const ticked = tick.ids.filter((id) => tick.chosen.has(id)).length;
  const isAll = ticked === tick.ids.length && ticked > 0;
  return (
    <input
      type="checkbox"
      className={styles.tick}
      aria-label="Select all on this page"
      checked={isAll}
      ref={(input) => {
        if (input) input.indeterminate = ticked > 0 && !isAll;
      }}
      onChange={() => tick.set(tick.ids, !isAll)}
    />
  );
}

interface TickOneProps {
  readonly tick: Tick;
  readonly id: string;
  readonly label: string;
}

export function TickOne({ tick, id, label }: TickOneProps) {
  return (
    <input
      type="checkbox"
      className={styles.tick}
      aria-label={label}
      checked={tick.chosen.has(id)}
      onChange={({ nativeEvent }) => tick.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
}
