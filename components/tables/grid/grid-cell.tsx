// biome-ignore-all lint/a11y/useSemanticElements: a table cannot leave out the rows and columns that are not seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell
"use client";

import { IconCheck, IconMinus } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { CellProblem } from "#components/tables/model/grid-state.ts";
import type { ShownColumn } from "#components/tables/table-queries.ts";
import { cellText, readCellText } from "#components/tables/text/cell-values.ts";
import { useExactTime } from "#components/time/relative-time.tsx";
import styles from "./data-grid.module.css";
import type { Grid, Place } from "./use-grid.ts";

interface GridCellProps {
  readonly place: Place;
  readonly column: ShownColumn;
  readonly value: unknown;
  readonly problem: CellProblem | undefined;
  /** Whether the row is unsaved and lacks this required value. */
  readonly isMissing: boolean;
  readonly grid: Grid;
  readonly left: number;
  readonly width: number;
}

/** Only the start of a long value is shown; editing the cell shows all of it. */
const shownMax = 300;

export function GridCell({ place, column, value, problem, isMissing, grid, left, width }: GridCellProps) {
  const { active, range, editing } = grid;
  const isActive = active.row === place.row && active.column === place.column;
  const isChosen =
    place.row >= range.top && place.row <= range.bottom && place.column >= range.left && place.column <= range.right;
  const isEdited = editing?.row === place.row && editing.column === place.column;
  const message = problem && `${column.name} ${problem.message}`;
  return (
    <div
      role="gridcell"
      id={cellId(place)}
      aria-colindex={place.column + 2}
      aria-selected={isChosen}
      aria-invalid={problem !== undefined || undefined}
      aria-description={message}
      title={message}
      className={styles.cell}
      data-type={column.type}
      data-active={isActive || undefined}
      data-chosen={(isChosen && range.top + range.left !== range.bottom + range.right) || undefined}
      data-problem={problem !== undefined || undefined}
      style={{ left, width }}
      onMouseDown={(event) => {
        if (isEdited) return;
        grid.go(place, event.shiftKey);
      }}
      onDoubleClick={() => !isEdited && grid.edit(place)}
    >
      {isEdited ? (
        <CellEditor column={column} text={editing.text} onCommit={grid.commit} onCancel={grid.cancel} />
      ) : (
        <span className={styles.value} dir={column.type === "text" ? "auto" : undefined}>
          {problem ? (
            problem.text.slice(0, shownMax)
          ) : isMissing ? (
            <span className={styles.missing}>required</span>
          ) : (
            <Value column={column} value={value} />
          )}
        </span>
      )}
      {isActive && message && !isEdited && <p className={styles.note}>{message}</p>}
    </div>
  );
}

/** A cell element's id. */
export function cellId({ row, column }: Place): string {
  return `cell-${row}-${column}`;
}

/** Long JSON is written once, not whenever it is shown again. */
const written = new WeakMap<object, string>();

function shownText(type: ShownColumn["type"], value: unknown): string {
  if (typeof value !== "object" || value === null) return cellText(type, value).slice(0, shownMax);
  const text = written.get(value) ?? cellText(type, value).slice(0, shownMax);
  written.set(value, text);
  return text;
}

function Value({ column: { type }, value }: { readonly column: ShownColumn; readonly value: unknown }) {
  const exact = useExactTime();
  if (value === null || value === undefined) return null;
  if (type === "time") return <time dateTime={String(value)}>{exact.format(String(value))}</time>;
  const text = shownText(type, value);
  if (type !== "boolean") return text;
  const Icon = value === true ? IconCheck : IconMinus;
  return (
    <span className={styles.truth} data-true={value === true || undefined}>
      <Icon size={14} aria-hidden="true" />
      {text}
    </span>
  );
}

interface CellEditorProps {
  readonly column: ShownColumn;
  readonly text: string;
  readonly onCommit: (text: string, by?: Place) => void;
  readonly onCancel: () => void;
}

const lines = { text: 1, json: 5 } as const;

/** A cell's editor: Enter and Tab save, Escape cancels, Shift+Enter inserts a line break. */
function CellEditor({ column, text: first, onCommit, onCancel }: CellEditorProps) {
  const [text, setText] = useState(first);
  const field = useRef<HTMLElement>(null);
  const keep = (element: HTMLElement | null) => {
    field.current = element;
  };
  const isDone = useRef(false);
  const { type, name } = column;
  useEffect(() => {
    const element = field.current;
    element?.focus({ preventScroll: true });
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      element.setSelectionRange(element.value.length, element.value.length);
    }
  }, []);
  const end = (by?: Place) => {
    if (isDone.current) return;
    isDone.current = true;
    onCommit(text, by);
  };
  const isLong = type === "text" || type === "json";
  const onKeyDown = (event: KeyboardEvent) => {
    // During composition, Enter selects a character.
    if (event.nativeEvent.isComposing) return;
    event.stopPropagation();
    if (event.key === "Escape") {
      isDone.current = true;
      onCancel();
    } else if (event.key === "Enter" && !(isLong && event.shiftKey)) end({ row: event.shiftKey ? -1 : 1, column: 0 });
    else if (event.key === "Tab") end({ row: 0, column: event.shiftKey ? -1 : 1 });
    else return;
    event.preventDefault();
  };
  const given = {
    "aria-label": name,
    value: text,
    onKeyDown,
    onBlur: () => end(),
    onChange: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
    className: styles.field,
    spellCheck: false,
    autoComplete: "off",
  };
  return (
    <div className={styles.editor} data-long={isLong || undefined}>
      {type === "boolean" ? (
        <select {...given} ref={keep}>
          <option value="">no value</option>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : isLong ? (
        <textarea {...given} ref={keep} rows={Math.min(12, Math.max(lines[type], text.split("\n").length))} />
      ) : (
        <input {...given} ref={keep} inputMode={type === "number" ? "decimal" : "text"} />
      )}
      <Reading column={column} text={text} />
    </div>
  );
}

/** The problem with the typed text; for a time, how it is understood. */
function Reading({ column, text }: { readonly column: ShownColumn; readonly text: string }) {
  const exact = useExactTime();
  if (column.type === "text" || column.type === "boolean" || text.trim() === "") return null;
  const read = readCellText(column, text);
  if ("problem" in read) {
    return <p className={styles.note}>{`${column.name} ${read.problem}`}</p>;
  }
  return column.type === "time" ? <p className={styles.reading}>{exact.explain(String(read.value))}</p> : null;
}
