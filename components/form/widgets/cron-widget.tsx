import { TextInput } from "@mantine/core";
import { useState } from "react";
import { asText } from "#components/form/field-spec.ts";
import { useForm, type WidgetProps } from "#components/form/form-context.ts";
import styles from "../field.module.css";
import { ScheduleBuilder } from "../schedule/schedule-builder.tsx";
import { readSchedule, writeSchedule } from "../schedule/schedule-parts.ts";
import { ModeSwitch } from "./mode-switch.tsx";

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
