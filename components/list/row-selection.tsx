"use client";
import { useRef } from "react";
import styles from "./row-selection.module.css";

/** Selected rows of a list. */
export interface RowSelection {
  readonly ids: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly set: (ids: readonly string[], isChosen: boolean) => void;
  /** Selects one; with Shift, all from the previous one. */
  readonly toggle: (id: string, isRange: boolean) => void;
}

/** The selection of a list's rows; null if nothing can be selected. */
export function useRowSelection(
  rows: readonly { readonly id: string }[],
  chosen: ReadonlySet<string> | undefined,
  onChoose: ((chosen: ReadonlySet<string>) => void) | undefined,
): RowSelection | null {
  const last = useRef<string | null>(null);
  if (chosen === undefined || onChoose === undefined) return null;
  const ids = rows.map(({ id }) => id);
  const set: RowSelection["set"] = (given, isChosen) => {
    const next = new Set(chosen);
    for (const id of given) isChosen ? next.add(id) : next.delete(id);
    onChoose(next);
  };
  const toggle: RowSelection["toggle"] = (id, isRange) => {
    const [from, to] = [ids.indexOf(last.current ?? id), ids.indexOf(id)];
    const range = isRange && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    last.current = id;
    set(range, !chosen.has(id));
  };
  return { ids, chosen, set, toggle };
}

export function SelectAllRows({ selection }: { readonly selection: RowSelection }) {
  const ticked = selection.ids.filter((id) => selection.chosen.has(id)).length;
  const isAll = ticked === selection.ids.length && ticked > 0;
  return (
    <input
      type="checkbox"
      className={styles.tick}
      aria-label="Select all on this page"
      checked={isAll}
      ref={(input) => {
        if (input) input.indeterminate = ticked > 0 && !isAll;
      }}
      onChange={() => selection.set(selection.ids, !isAll)}
    />
  );
}

interface SelectRowProps {
  readonly selection: RowSelection;
  readonly id: string;
  readonly label: string;
}

export function SelectRow({ selection, id, label }: SelectRowProps) {
  return (
    <input
      type="checkbox"
      className={styles.tick}
      aria-label={label}
      checked={selection.chosen.has(id)}
      onChange={({ nativeEvent }) => selection.toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
}
