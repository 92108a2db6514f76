import { NativeSelect, TextInput } from "@mantine/core";
import { useId } from "react";
import styles from "./schedule-builder.module.css";
import { everyDay, hourSteps, minuteSteps, type SpokenSchedule, workdays } from "./schedule-parts.ts";

interface ScheduleBuilderProps {
  readonly id: string;
  /** Null if there is none, or only cron can express it. */
  readonly schedule: SpokenSchedule | null;
  readonly onChange: (schedule: SpokenSchedule) => void;
  readonly readOnly: boolean;
}

/** The defaults of each repetition; the time of day is kept from the previous one. */
const starts = {
  minutes: { label: "Every few minutes", make: () => ({ every: "minutes", step: 15 }) },
  hours: { label: "Hourly", make: ({ minute }) => ({ every: "hours", step: 1, minute }) },
  day: { label: "Every day", make: (at) => ({ every: "week", days: everyDay, ...at }) },
  week: { label: "On some weekdays", make: (at) => ({ every: "week", days: workdays, ...at }) },
  month: { label: "Every month", make: (at) => ({ every: "month", day: 1, ...at }) },
} as const satisfies Record<string, { label: string; make: (at: TimeOfDay) => SpokenSchedule }>;

type Start = keyof typeof starts;

interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

const two = (number: number) => String(number).padStart(2, "0");
const named = (number: number, unit: string) => (number === 1 ? `every ${unit}` : `every ${number} ${unit}s`);

/** A schedule builder: how often, on which days, at what time. */
export function ScheduleBuilder({ id, schedule, onChange, readOnly }: ScheduleBuilderProps) {
  const start = schedule === null ? null : startOf(schedule);
  const at = {
    hour: schedule !== null && "hour" in schedule ? schedule.hour : 9,
    minute: schedule !== null && "minute" in schedule ? schedule.minute : 0,
  };
  return (
    <div className={styles.builder}>
      <NativeSelect
        id={id}
        value={start ?? ""}
        disabled={readOnly}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          if (isStart(chosen)) onChange(starts[chosen].make(at));
        }}
        data={[
          ...(start === null ? [{ value: "", label: "Choose how often" }] : []),
          ...Object.entries(starts).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      {schedule !== null && <Parts schedule={schedule} onChange={onChange} readOnly={readOnly} />}
    </div>
  );
}

const isStart = (text: string): text is Start => Object.hasOwn(starts, text);

function startOf(schedule: SpokenSchedule): Start {
  if (schedule.every !== "week") return schedule.every;
  return schedule.days.length === everyDay.length ? "day" : "week";
}

interface PartsProps {
  readonly schedule: SpokenSchedule;
  readonly onChange: (schedule: SpokenSchedule) => void;
  readonly readOnly: boolean;
}

function Parts({ schedule, onChange, readOnly }: PartsProps) {
  if (schedule.every === "minutes" || schedule.every === "hours") {
    const [steps, unit] = schedule.every === "minutes" ? [minuteSteps, "minute"] : [hourSteps, "hour"];
    return (
      <div className={styles.line}>
        <NativeSelect
          aria-label="How often"
          value={String(schedule.step)}
          disabled={readOnly}
          onChange={(event) => onChange({ ...schedule, step: Number(event.currentTarget.value) })}
          data={steps.map((step) => ({ value: String(step), label: named(step, unit) }))}
        />
        {schedule.every === "hours" && (
          <NativeSelect
            aria-label="Minute of the hour"
            value={String(schedule.minute)}
            disabled={readOnly}
            onChange={(event) => onChange({ ...schedule, minute: Number(event.currentTarget.value) })}
            data={Array.from({ length: 60 }, (_, minute) => ({ value: String(minute), label: `at :${two(minute)}` }))}
          />
        )}
      </div>
    );
  }
  return (
    <>
      {schedule.every === "week" && schedule.days.length < everyDay.length && (
        <Weekdays days={schedule.days} onChange={(days) => onChange({ ...schedule, days })} readOnly={readOnly} />
      )}
      <div className={styles.line}>
        {schedule.every === "month" && (
          <NativeSelect
            aria-label="Day of the month"
            value={String(schedule.day)}
            disabled={readOnly}
            onChange={(event) => {
              const { value } = event.currentTarget;
              onChange({ ...schedule, day: value === "last" ? "last" : Number(value) });
            }}
            data={[
              ...Array.from({ length: 31 }, (_, day) => ({ value: String(day + 1), label: `on day ${day + 1}` })),
              { value: "last", label: "on the last day" },
            ]}
          />
        )}
        <TextInput
          type="time"
          aria-label="Time of day"
          value={`${two(schedule.hour)}:${two(schedule.minute)}`}
          readOnly={readOnly}
          onChange={(event) => {
            const [hour, minute] = event.currentTarget.value.split(":").map(Number);
            if (hour !== undefined && minute !== undefined) onChange({ ...schedule, hour, minute });
          }}
        />
      </div>
      {schedule.every === "month" && typeof schedule.day === "number" && schedule.day > 28 && (
        <p className={styles.note}>Months without a day {schedule.day} are skipped.</p>
      )}
    </>
  );
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].map((name, index) => ({
  day: (index + 1) % 7,
  name,
}));

interface WeekdaysProps {
  readonly days: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
  readonly readOnly: boolean;
}

/** The days that it runs on, at least one. */
function Weekdays({ days, onChange, readOnly }: WeekdaysProps) {
  const id = useId();
  return (
    <fieldset className={styles.days} aria-labelledby={id}>
      <legend id={id} className="unseen">
        Days
      </legend>
      {weekdays.map(({ day, name }) => {
        const isOn = days.includes(day);
        const next = isOn ? days.filter((other) => other !== day) : [...days, day];
        return (
          <button
            key={day}
            type="button"
            className={styles.day}
            aria-pressed={isOn}
            aria-label={name}
            disabled={readOnly || next.length === 0}
            onClick={() => onChange(next)}
          >
            {name.slice(0, 2)}
          </button>
        );
      })}
    </fieldset>
  );
}
