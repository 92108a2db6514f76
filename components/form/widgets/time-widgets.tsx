import { TextInput } from "@mantine/core";
import { useState } from "react";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import type { Json } from "#lib/engine/json.ts";
import { DurationInput } from "../duration-input.tsx";
import styles from "../field.module.css";
import { ScheduleBuilder } from "../schedule/schedule-builder.tsx";
import { readSchedule, writeSchedule } from "../schedule/schedule-parts.ts";
import { ModeSwitch } from "./mode-switch.tsx";

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

const modes = { builder: "Builder", cron: "Cron" } as const;

/** A schedule from the builder or as cron; starts with the builder if it can show the value. */
export function CronWidget({ id, spec, value, onChange, invalid }: WidgetProps) {
  const { readOnly, onLeave } = useForm();
  const cron = asText(value);
  const schedule = readSchedule(cron);
  const [mode, setMode] = useState<keyof typeof modes>(cron === "" || schedule !== null ? "builder" : "cron");
  return (
    <>
      <ModeSwitch modes={modes} mode={mode} onChoose={setMode} label={`${spec.title} is written with`} />
      {mode === "builder" ? (
        <>
          <ScheduleBuilder
            id={id}
            schedule={schedule}
            onChange={(next) => onChange(writeSchedule(next))}
            readOnly={readOnly}
          />
          {cron !== "" && (
            <p className={styles.hint}>
              <code>{cron}</code>
              {schedule === null && " cannot be shown in the builder. Choosing a frequency replaces it."}
            </p>
          )}
        </>
      ) : (
        <TextInput
          id={id}
          value={cron}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
          onBlur={onLeave}
          readOnly={readOnly}
          error={invalid}
          placeholder="0 9 * * 1-5"
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--font-mono)" } }}
        />
      )}
    </>
  );
}
