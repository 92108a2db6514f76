import { TextInput } from "@mantine/core";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import type { Json } from "#lib/engine/json.ts";
import { DurationInput } from "../duration-input.tsx";
import styles from "../field.module.css";

/** Milliseconds, entered with a unit. */
export function DurationWidget({ id, spec, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  return (
    <DurationInput
      id={id}
      label={spec.title}
      value={typeof value === "number" ? value : undefined}
      fallback={typeof spec.default === "number" ? spec.default : undefined}
      onChange={onChange}
      onLeave={onLeave}
      readOnly={readOnly}
    />
  );
}

/** A point in time, entered in the user's own time zone and stored in UTC. */
export function MomentWidget({ id, value, onChange }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  return (
    <>
      <TextInput
        id={id}
        type="datetime-local"
        step={1}
        value={localTime(value)}
        onChange={(event) => {
          const { value: next } = event.currentTarget;
          onChange(next === "" ? undefined : new Date(next).toISOString());
        }}
        onBlur={onLeave}
        readOnly={readOnly}
      />
      <p className={styles.hint}>In your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}.</p>
    </>
  );
}

const minuteMs = 60_000;

/** "2026-01-31T10:00:00" in local time; empty if it is not a time. */
function localTime(value: Json | undefined): string {
  const at = typeof value === "string" || typeof value === "number" ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) return "";
  const local = new Date(at.getTime() - at.getTimezoneOffset() * minuteMs);
  return Number.isNaN(local.getTime()) ? "" : local.toISOString().slice(0, 19);
}
