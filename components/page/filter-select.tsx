"use client";

import { InputBase } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
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
  // A value that is not offered, as of an address that somebody typed.
  const missing = value !== "" && !options.some((option) => option.value === value);
  return (
    <InputBase
      component="select"
      size="sm"
      pointer
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || null)}
      rightSection={<IconSelector size={16} aria-hidden="true" />}
      rightSectionPointerEvents="none"
      className={styles.filter}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {missing && <option value={value}>{value}</option>}
    </InputBase>
  );
}
