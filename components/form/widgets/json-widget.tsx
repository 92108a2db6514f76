import { useState } from "react";
import { asText } from "#components/form/field-spec.ts";
import type { WidgetProps } from "#components/form/form-context.ts";
import { CodeEditor } from "../code-editor.tsx";
import { Preview } from "../preview.tsx";
import { JsonText, readJson } from "./json-text.tsx";
import { ModeSwitch } from "./mode-switch.tsx";

const modes = { text: "Text", json: "JSON" } as const;

function modeOf({ isData }: WidgetProps["spec"], value: unknown): "text" | "json" {
  if (value === undefined) return isData ? "json" : "text";
  return typeof value === "string" ? "text" : "json";
}

/** Any value: text with expressions, or JSON whose strings may hold them. */
export function JsonWidget({ spec, value, onChange, path, invalid }: WidgetProps) {
  const [mode, setMode] = useState<"text" | "json">(modeOf(spec, value));
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
        <JsonText label={spec.title} value={value} onChange={onChange} invalid={invalid} />
      )}
    </>
  );
}
