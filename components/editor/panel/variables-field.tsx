import { ActionIcon, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import fieldStyles from "#components/form/field.module.css";
import { JsonText } from "#components/form/widgets/json-widget.tsx";
import { ModeSwitch } from "#components/form/widgets/mode-switch.tsx";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { asKind, kindOfVariable, type VariableKind, variableKinds } from "./variable-value.ts";
import styles from "./variables-field.module.css";

interface VariablesFieldProps {
  readonly value: JsonObject;
  readonly onChange: (value: JsonObject) => void;
  readonly onLeave: () => void;
}

interface Row {
  readonly key: number;
  readonly name: string;
  readonly kind: VariableKind;
  readonly value: Json;
}

let keys = 0;
const rowsOf = (variables: JsonObject): Row[] =>
  Object.entries(variables).map(([name, value]) => ({ key: keys++, name, kind: kindOfVariable(value), value }));

/** If two rows have the same name, the first counts, so that typing a name never overwrites a variable. */
const objectOf = (rows: readonly Row[]): JsonObject =>
  Object.fromEntries(
    rows
      .toReversed()
      .flatMap(({ name, value }) => (name === "" ? [] : [[name, value]]))
      .toReversed(),
  );

const modes = { rows: "Rows", json: "JSON" } as const;

/** The flow's variables: names and values, row by row or as JSON. */
export function VariablesField({ value, onChange, onLeave }: VariablesFieldProps) {
  const [mode, setMode] = useState<keyof typeof modes>("rows");
  return (
    <section className={styles.field} aria-label="Variables">
      <div className={fieldStyles.head}>
        <span className={fieldStyles.label}>Variables</span>
        <ModeSwitch modes={modes} mode={mode} onChoose={setMode} label="Variables are written as" />
      </div>
      {mode === "rows" ? (
        <VariableRows value={value} onChange={onChange} onLeave={onLeave} />
      ) : (
        <JsonText
          label="Variables"
          value={value}
          onChange={(next = {}) => {
            if (isJsonObject(next)) onChange(next);
          }}
        />
      )}
      <p className={fieldStyles.hint}>
        Expressions read them as <code>$vars.name</code>. They are stored in plain text: keep secrets in credentials.
      </p>
    </section>
  );
}

function VariableRows({ value, onChange, onLeave }: VariablesFieldProps) {
  const [own, setOwn] = useState(() => ({ rows: rowsOf(value), written: JSON.stringify(value) }));
  const written = JSON.stringify(value);
  // Changed from elsewhere: by undo, or as JSON.
  if (own.written !== written) setOwn({ rows: rowsOf(value), written });
  const { rows } = own;
  const change = (next: readonly Row[]) => {
    const object = objectOf(next);
    setOwn({ rows: [...next], written: JSON.stringify(object) });
    onChange(object);
  };
  const replace = (row: Row, changes: Partial<Row>) =>
    change(rows.map((other) => (other === row ? { ...row, ...changes } : other)));
  const isTaken = (row: Row) => row.name !== "" && rows.some((other) => other !== row && other.name === row.name);
  return (
    <div className={fieldStyles.rows}>
      {rows.map((row, index) => {
        const rowLabel = row.name || `row ${index + 1}`;
        return (
          <div key={row.key} className={styles.row} data-kind={row.kind}>
            <TextInput
              value={row.name}
              onChange={(event) => replace(row, { name: event.currentTarget.value })}
              onBlur={onLeave}
              placeholder="Name"
              aria-label={`Variable name ${index + 1}`}
              error={isTaken(row) && "Duplicate name"}
              spellCheck={false}
            />
            <NativeSelect
              aria-label={`Kind of ${rowLabel}`}
              value={row.kind}
              onChange={(event) => {
                const kind = event.currentTarget.value as VariableKind;
                replace(row, { kind, value: asKind(row.value, kind) });
              }}
              data={Object.entries(variableKinds).map(([kind, label]) => ({ value: kind, label }))}
            />
            <ActionIcon
              variant="subtle"
              size={24}
              onClick={() => change(rows.filter((other) => other !== row))}
              aria-label={`Remove ${rowLabel}`}
            >
              <IconX size={14} />
            </ActionIcon>
            <div className={styles.value}>
              <VariableValue
                row={row}
                label={rowLabel}
                onChange={(next) => replace(row, { value: next })}
                onLeave={onLeave}
              />
            </div>
          </div>
        );
      })}
      <button
        type="button"
        className={fieldStyles.add}
        onClick={() => change([...rows, { key: keys++, name: "", kind: "text", value: "" }])}
      >
        Add variable
      </button>
    </div>
  );
}

interface VariableValueProps {
  readonly row: Row;
  readonly label: string;
  readonly onChange: (value: Json) => void;
  readonly onLeave: () => void;
}

function VariableValue({ row: { kind, value }, label: rowLabel, onChange, onLeave }: VariableValueProps) {
  const label = `Value of ${rowLabel}`;
  if (kind === "number") {
    return (
      <NumberInput
        aria-label={label}
        value={typeof value === "number" ? value : 0}
        onChange={(next) => {
          if (typeof next === "number") onChange(next);
        }}
        onBlur={onLeave}
        hideControls
      />
    );
  }
  if (kind === "boolean") {
    return (
      <NativeSelect
        aria-label={label}
        value={String(value)}
        onChange={(event) => onChange(event.currentTarget.value === "true")}
        data={[
          { value: "true", label: "Yes" },
          { value: "false", label: "No" },
        ]}
      />
    );
  }
  if (kind === "json")
    return <JsonText label={label} value={value} onChange={(next = null) => onChange(next)} lines={3} />;
  return (
    <Textarea
      aria-label={label}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
      placeholder="Value"
      autosize
      minRows={1}
      maxRows={6}
    />
  );
}
