import { ActionIcon, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { CodeEditor } from "../code-editor.tsx";
import styles from "../field.module.css";
import { JsonPreview } from "../preview.tsx";

interface Row {
  readonly key: number;
  readonly name: string;
  readonly value: Json;
}

let keys = 0;
const rowsOf = (value: Json | undefined): Row[] =>
  Object.entries(isJsonObject(value) ? value : {}).map(([name, item]) => ({ key: keys++, name, value: item }));

function objectOf(rows: readonly Row[]): JsonObject | undefined {
  const named = rows.filter((row) => row.name !== "");
  return named.length === 0 ? undefined : Object.fromEntries(named.map((row) => [row.name, row.value]));
}

/** Names and values: headers, query parameters. A row without a name stays local. */
export function MapWidget({ spec, value, onChange, path }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  const [own, setOwn] = useState(() => ({ rows: rowsOf(value), value }));
  // Changed elsewhere: by undo or raw JSON.
  if (JSON.stringify(own.value) !== JSON.stringify(value)) setOwn({ rows: rowsOf(value), value });
  const { rows } = own;
  const change = (next: readonly Row[]) => {
    setOwn({ rows: [...next], value: objectOf(next) });
    onChange(objectOf(next));
  };
  const replace = (row: Row, changes: Partial<Row>) =>
    change(rows.map((other) => (other === row ? { ...row, ...changes } : other)));
  return (
    <div className={styles.rows}>
      {rows.map((row, index) => (
        <div key={row.key} className={styles.pair}>
          <TextInput
            value={row.name}
            onChange={(event) => replace(row, { name: event.currentTarget.value })}
            onBlur={onLeave}
            readOnly={readOnly}
            placeholder="Name"
            aria-label={`${spec.title}: name ${index + 1}`}
            error={
              rows.some((other) => other !== row && row.name !== "" && other.name === row.name) && "Duplicate name"
            }
          />
          <CodeEditor
            value={asText(row.value)}
            onChange={(text) => replace(row, { value: text })}
            language="template"
            label={`${spec.title}: value of ${row.name || `row ${index + 1}`}`}
          />
          <ActionIcon
            variant="subtle"
            size={24}
            disabled={readOnly}
            onClick={() => change(rows.filter((other) => other !== row))}
            aria-label={`Remove ${row.name || "the row"}`}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <JsonPreview value={value} path={path} />
      {!readOnly && (
        <button
          type="button"
          className={styles.add}
          onClick={() => change([...rows, { key: keys++, name: "", value: "" }])}
        >
          Add row
        </button>
      )}
    </div>
  );
}
