import { NativeSelect, NumberInput } from "@mantine/core";
import { useState } from "react";
import { durationUnits, wholeUnit } from "#components/time/duration.ts";
import styles from "./field.module.css";

interface DurationInputProps {
  readonly id: string;
  /** The label, followed by the unit's name. */
  readonly label: string;
  /** Milliseconds. */
  readonly value: number | undefined;
  readonly onChange: (ms: number | undefined) => void;
  /** The default in milliseconds. */
  readonly fallback?: number | undefined;
  readonly onLeave?: () => void;
  readonly readOnly?: boolean;
}

interface Typed {
  readonly text: number | string;
  readonly unitMs: number;
  readonly value: number | undefined;
}

/** Milliseconds, as an amount and its unit. */
export function DurationInput({ id, label, value, onChange, fallback, onLeave, readOnly = false }: DurationInputProps) {
  const [kept, keep] = useState<Typed | null>(null);
  // Keeps the typed text until the value changes from elsewhere.
  const typed = kept !== null && kept.value === value ? kept : null;
  const unitMs = typed?.unitMs ?? wholeUnit(value ?? fallback ?? 1_000).ms;
  const change = (text: number | string, nextUnitMs: number) => {
    const amount = typeof text === "number" ? text : Number.parseFloat(text);
    const next = Number.isFinite(amount) ? Math.round(amount * nextUnitMs) : undefined;
    keep({ text, unitMs: nextUnitMs, value: next });
    if (next !== value) onChange(next);
  };
  const text = typed?.text ?? (value === undefined ? "" : value / unitMs);
  return (
    <div className={styles.amount}>
      <NumberInput
        id={id}
        value={text}
        placeholder={fallback === undefined ? "" : String(fallback / unitMs)}
        onChange={(next) => change(next, unitMs)}
        onBlur={onLeave}
        readOnly={readOnly}
        allowNegative={false}
        hideControls
      />
      <NativeSelect
        aria-label={`${label}: unit`}
        value={String(unitMs)}
        disabled={readOnly}
        onChange={(event) => change(text, Number(event.currentTarget.value))}
        data={durationUnits.map((unit) => ({ value: String(unit.ms), label: unit.name })).reverse()}
      />
    </div>
  );
}
