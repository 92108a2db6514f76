"use client";

import { NativeSelect } from "@mantine/core";
import styles from "./data-table.module.css";

interface FilterSelectProps {
  readonly label: string;
  /** What stands there while nothing is chosen: "Any status". */
  readonly any: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
}

/** One filter of a list. The system's own control: it works by keyboard and finger, and weighs nothing. */
export function FilterSelect({ label, any, options, value = "", onChange }: FilterSelectProps) {
  const missing = value !== "" && !options.some((option) => option.value === value);
  return (
    <NativeSelect
      aria-label={label}
      data={[{ value: "", label: any }, ...options, ...(missing ? [{ value, label: value }] : [])]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      className={styles.filter}
    />
  );
}
