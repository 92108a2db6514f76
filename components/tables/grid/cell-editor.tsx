"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { ShownColumn } from "#components/tables/table-queries.ts";
import { readCellText } from "#components/tables/text/cell-values.ts";
import { useExactTime } from "#components/time/relative-time.tsx";
import styles from "./data-grid.module.css";
import type { Place } from "./use-grid.ts";

interface CellEditorProps {
  readonly column: ShownColumn;
  readonly text: string;
  readonly onCommit: (text: string, by?: Place) => void;
  readonly onCancel: () => void;
}

const lines = { text: 1, json: 5 } as const;

/** Where a cell's value is typed: Enter and Tab keep it, Escape does not, Shift+Enter begins a line. */
export function CellEditor({ column, text: first, onCommit, onCancel }: CellEditorProps) {
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
    // While a character is being composed, Enter chooses it.
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

/** What is wrong with the text so far; of a time, when it is. */
function Reading({ column, text }: { readonly column: ShownColumn; readonly text: string }) {
  const exact = useExactTime();
  if (column.type === "text" || column.type === "boolean" || text.trim() === "") return null;
  const read = readCellText(column, text);
  if ("problem" in read) {
    return <p className={styles.note}>{`${column.name} ${read.problem}`}</p>;
  }
  return column.type === "time" ? <p className={styles.reading}>{exact.explain(String(read.value))}</p> : null;
}
