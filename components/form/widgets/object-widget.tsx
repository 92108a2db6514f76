import { useState } from "react";
import type { WidgetProps } from "#components/form/form-context.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import styles from "../field.module.css";
import { Field } from "../field.tsx";

/** A group of fields, collapsed until something in it is set. */
export function ObjectWidget({ spec, value, onChange, path }: WidgetProps) {
  const given = isJsonObject(value) ? value : {};
  const set = Object.keys(given).length;
  const isOpen = useOnce(set > 0 || spec.required);
  return (
    <details className={styles.group} open={isOpen}>
      <summary>{set === 0 ? "Not set" : set === 1 ? "1 field set" : `${set} fields set`}</summary>
      <div>
        {spec.fields.map((field) => (
          <Field
            key={field.name}
            spec={field}
            value={given[field.name]}
            path={`${path}.${field.name}`}
            onChange={(next) => onChange(emptyAsMissing(withField(given, field.name, next)))}
          />
        ))}
      </div>
    </details>
  );
}

/** Whether it holds or held before: a group must not close over the field that is being emptied. */
export function useOnce(holds: boolean): boolean {
  const [held, setHeld] = useState(holds);
  if (holds && !held) setHeld(true);
  return holds || held;
}

/** An object with one field set or removed. */
export function withField(object: JsonObject, name: string, value: Json | undefined): JsonObject {
  const { [name]: _, ...rest } = object;
  if (value === undefined) return rest;
  return Object.hasOwn(object, name) ? { ...object, [name]: value } : { ...rest, [name]: value };
}

function emptyAsMissing(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}
