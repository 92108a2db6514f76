import { useState } from "react";
import type { Json } from "#lib/engine/json.ts";
import { CodeEditor } from "../code-editor.tsx";
import styles from "../field.module.css";

interface JsonTextProps {
  readonly label: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly invalid?: boolean;
  readonly lines?: number;
}

/** JSON as text. While it cannot be parsed, the last valid value stays. */
export function JsonText({ label, value, onChange, invalid = false, lines = 5 }: JsonTextProps) {
  const written = value === undefined ? "" : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ readonly text: string; readonly written: string } | null>(null);
  // The typed text counts until the value changes from elsewhere.
  const isTyped = typed !== null && (typed.written === written || sameJson(typed.text, written));
  const text = isTyped ? typed.text : written;
  const { problem } = readJson(text);
  return (
    <>
      <CodeEditor
        value={text}
        onChange={(next) => {
          setTyped({ text: next, written });
          const read = readJson(next);
          if (read.problem === null) onChange(read.value);
        }}
        language="json"
        label={label}
        invalid={invalid || problem !== null}
        lines={lines}
      />
      {problem !== null && <p className={styles.problem}>Not valid JSON: {problem}</p>}
    </>
  );
}

/** Parses JSON as it is typed; empty text is no value. */
export function readJson(text: string): { readonly value: Json | undefined; readonly problem: string | null } {
  if (text.trim() === "") return { value: undefined, problem: null };
  try {
    return { value: JSON.parse(text), problem: null };
  } catch (error) {
    return { value: undefined, problem: error instanceof Error ? error.message : "unreadable" };
  }
}

function sameJson(text: string, written: string): boolean {
  const { value, problem } = readJson(text);
  return problem === null && (value === undefined ? "" : JSON.stringify(value, null, 2)) === written;
}
