import { NativeSelect, NumberInput, Switch, TagsInput, Textarea } from "@mantine/core";
import { useState } from "react";
import { CodeEditor, emptyExpression } from "#components/form/code-editor.tsx";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import { Preview } from "#components/form/preview.tsx";
import type { Json } from "#lib/engine/json.ts";
import { JsonWidget } from "./json-widget.tsx";

/** Plain text, without expressions. */
export function PlainWidget({ id, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  return (
    <Textarea
      id={id}
      value={asText(value)}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      onBlur={onLeave}
      readOnly={readOnly}
      autosize
      minRows={2}
      maxRows={10}
    />
  );
}

/** Text with expressions; a lone `=` starts one, as in a spreadsheet. */
export function TextWidget({ spec, value, onChange, path, invalid }: WidgetProps) {
  const text = asText(value);
  const change = (typed: string) => onChange(typed === "" ? undefined : typed === "=" ? emptyExpression : typed);
  return (
    <>
      <CodeEditor
        value={text}
        onChange={change}
        language="template"
        label={spec.title}
        placeholder={spec.example}
        invalid={invalid}
      />
      <Preview text={text} field="template" path={path} />
    </>
  );
}

export function NumberWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  const [typed, setTyped] = useState<{ readonly text: number | string; readonly value: Json | undefined } | null>(null);
  const change = (text: number | string) => {
    const number = text === "" ? Number.NaN : Number(text);
    const next = Number.isFinite(number) ? number : undefined;
    setTyped({ text, value: next });
    if (next !== value) onChange(next);
  };
  // Keeps what is typed, such as "0." on the way to 0.7, until the value changes from elsewhere.
  const text = typed?.value === value ? typed?.text : undefined;
  return (
    <NumberInput
      id={id}
      value={text ?? (typeof value === "number" ? value : "")}
      placeholder={spec.default === undefined ? "" : String(spec.default)}
      onChange={change}
      onBlur={onLeave}
      readOnly={readOnly}
      allowDecimal={!spec.isWhole}
      hideControls
    />
  );
}

export function BooleanWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly } = useForm();
  const checked = typeof value === "boolean" ? value : spec.default === true;
  return (
    <Switch
      id={id}
      checked={checked}
      disabled={readOnly}
      onChange={(event) =>
        onChange(event.currentTarget.checked === (spec.default === true) ? undefined : event.currentTarget.checked)
      }
      size="sm"
    />
  );
}

export function ChoiceWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly } = useForm();
  const given = asText(value);
  const fallback = typeof spec.default === "string" ? spec.default : null;
  const unknown = given !== "" && !spec.options.includes(given) ? [{ value: given, label: `${given} (unknown)` }] : [];
  const unset = fallback === null ? [{ value: "", label: spec.labels[""] ?? "Not set" }] : [];
  return (
    <NativeSelect
      id={id}
      value={given === "" ? (fallback ?? "") : given}
      disabled={readOnly}
      onChange={(event) => {
        const { value: next } = event.currentTarget;
        onChange(next === "" || next === fallback ? undefined : next);
      }}
      data={[
        ...unset,
        ...spec.options.map((option) => ({ value: option, label: spec.labels[option] ?? option })),
        ...unknown,
      ]}
    />
  );
}

export function CodeWidget({ spec, value, onChange, invalid }: WidgetProps) {
  const change = (text: string) => onChange(text === "" ? undefined : text);
  return (
    <CodeEditor
      value={asText(value)}
      onChange={change}
      language="code"
      label={spec.title}
      placeholder={spec.example}
      invalid={invalid}
      lines={8}
    />
  );
}

/** One expression, or a function body; a config created over the API may have an object there. */
export function ProgramWidget(props: WidgetProps) {
  const { spec, value, onChange, path, invalid } = props;
  if (value !== undefined && typeof value !== "string") return <JsonWidget {...props} />;
  return (
    <>
      <CodeEditor
        value={value ?? ""}
        onChange={(text) => onChange(text === "" ? undefined : text)}
        language="program"
        label={spec.title}
        placeholder={spec.example || (spec.decides ? "$trigger.body.total > 100" : "$trigger.body.total")}
        invalid={invalid}
        lines={2}
      />
      <Preview text={value ?? ""} field={spec.decides ? "condition" : "expression"} path={path} />
    </>
  );
}

/** A list of plain values, each typed and confirmed with Enter or a comma. */
export function ValuesWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  const given = Array.isArray(value) ? value : [];
  const read = (text: string): Json =>
    spec.item?.kind === "number" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  return (
    <TagsInput
      id={id}
      value={given.map(asText)}
      onChange={(next) => onChange(next.length === 0 ? undefined : next.map(read))}
      onBlur={onLeave}
      readOnly={readOnly}
      splitChars={[","]}
      placeholder={given.length === 0 ? "Type and press Enter" : ""}
    />
  );
}
