"use client";

import { Select } from "@mantine/core";

interface FilterSelectProps {
  readonly label: string;
  /** What stands there while nothing is chosen: "Any status". */
  readonly any: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
  readonly searchable?: boolean;
}

/** One filter of a list. */
export function FilterSelect({ label, any, options, value, onChange, searchable = false }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      data={[...options]}
      value={value ?? null}
      onChange={onChange}
      clearable
      searchable={searchable}
      nothingFoundMessage="Nothing found"
      comboboxProps={{ shadow: "md", transitionProps: { duration: 120 } }}
      w={{ base: "100%", xs: 168 }}
    />
  );
}
