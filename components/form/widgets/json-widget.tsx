import { type ReactNode, useState } from "react";
import { asText } from "#components/form/field-spec.ts";
import type { WidgetProps } from "#components/form/form-context.ts";
import type { Json } from "#lib/engine/json.ts";
import { CodeEditor } from "../code-editor.tsx";
import styles from "../field.module.css";
import { JsonPreview, Preview } from "../preview.tsx";
import { ModeSwitch } from "./mode-switch.tsx";

const modes = { text: "Text", json: "JSON" } as const;

function modeOf({ isData }: WidgetProps["spec"], value: unknown): "text" | "json" {
  if (value === undefined) return isData ? "json" : "text";
  return typeof value === "string" ? "text" : "json";
}

/** Any value: text with expressions, or JSON whose strings may hold them. */
export function JsonWidget({ spec, value, onChange, path, invalid }: WidgetProps) {
  const [picked, setMode] = useState<"text" | "json">(modeOf(spec, value));
  // Undo and a list's items that move up bring values of the other kind: as text they would become strings.
  const mode = value === undefined || typeof value === "string" ? picked : "json";
  const choose = (next: "text" | "json") => {
    setMode(next);
    if (next === mode || value === undefined) return;
    onChange(next === "text" ? asText(value) : (readJson(asText(value)).value ?? asText(value)));
  };
  return (
    <>
      <ModeSwitch modes={modes} mode={mode} onChoose={choose} label={`${spec.title} is written as`} />
      {mode === "text" ? (
        <>
          <CodeEditor
            value={asText(value)}
            onChange={(text) => onChange(text === "" ? undefined : text)}
            language="template"
            label={spec.title}
            invalid={invalid}
            lines={2}
          />
          <Preview text={asText(value)} field="template" path={path} />
        </>
      ) : (
        <JsonText label={spec.title} value={value} onChange={onChange} invalid={invalid}>
          <JsonPreview value={value} path={path} />
        </JsonText>
      )}
    </>
  );
}

interface JsonTextProps {
  readonly label: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly invalid?: boolean;
  readonly lines?: number;
  /** Shown below it while it can be parsed. */
  readonly children?: ReactNode;
}

/** JSON as text. While it cannot be parsed, the last valid value stays. */
export function JsonText({ label, value, onChange, invalid = false, lines = 5, children }: JsonTextProps) {
  const written = value === undefined ? "" : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ readonly text: string; readonly written: string } | null>(null);
  // Keeps the typed text until the value changes from elsewhere.
  const isTyped = typed !== null && (typed.written === written || sameJson(typed.text, written));
  const text = isTyped ? typed.text : written;
  // Once it has taken effect, a return to the value before it is a change from elsewhere: undo.
  if (isTyped && typed.written !== written) setTyped({ text, written });
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
      {problem === null ? children : <p className={styles.problem}>Not valid JSON: {problem}</p>}
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
