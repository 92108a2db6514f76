"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Conflict } from "#components/tables/model/grid-state.ts";
import type { ShownColumn } from "#components/tables/table-queries.ts";
import { cellText } from "#components/tables/text/cell-values.ts";
import styles from "./toolbar.module.css";

interface ConflictBarProps {
  readonly conflicts: readonly Conflict[];
  readonly columns: readonly ShownColumn[];
  readonly onSettle: (id: string, keep: "mine" | "theirs") => void;
}

const shown = (type: ShownColumn["type"], value: unknown) => {
  const text = cellText(type, value);
  if (text === "") return "no value";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** Edits that conflict with someone else's: shows both values and lets the user choose. */
export function ConflictBar({ conflicts, columns, onSettle }: ConflictBarProps) {
  const [first] = conflicts;
  if (first === undefined) return null;
  const { id, mine, theirs } = first;
  const changed = columns.filter(({ name }) => Object.hasOwn(mine, name));
  return (
    <section role="alert" aria-label="Conflict" className={styles.conflict}>
      <IconAlertTriangle size={18} aria-hidden="true" className={styles.warning} />
      <div className={styles.both}>
        <strong>Someone else changed this row while you edited it.</strong>
        {changed.map(({ id: columnId, name, type }) => (
          <span key={columnId}>
            <b>{name}</b>: theirs is <q>{shown(type, theirs[name])}</q>, yours is <q>{shown(type, mine[name])}</q>.
          </span>
        ))}
        {conflicts.length > 1 && <span>{conflicts.length - 1} more to settle.</span>}
      </div>
      <Button variant="default" onClick={() => onSettle(id, "theirs")}>
        Use theirs
      </Button>
      <Button onClick={() => onSettle(id, "mine")}>Use mine</Button>
      {conflicts.length > 1 && (
        <Button
          variant="subtle"
          onClick={() => {
            for (const conflict of conflicts) onSettle(conflict.id, "theirs");
          }}
        >
          Use theirs for all
        </Button>
      )}
    </section>
  );
}
