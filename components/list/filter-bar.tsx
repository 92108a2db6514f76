"use client";
import { CloseButton, InputBase, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconSelector } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import type { UrlChange } from "#components/page/use-url-state.ts";
import styles from "./data-table.module.css";

interface Filter {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  /** What stands there while nothing is chosen: "Any status". */
  readonly any: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  /** Others in the address that choosing takes away. */
  readonly instead?: readonly string[];
}

interface FilterBarProps {
  readonly search?: { readonly label: string; readonly value: string | undefined };
  readonly filters: readonly Filter[];
  readonly onChange: (change: UrlChange, replace?: boolean) => void;
  /** Between the search and the filters. */
  readonly first?: ReactNode;
  /** Behind them. */
  readonly last?: ReactNode;
}

/** What a list is searched and filtered by, and in which order it is. */
export function FilterBar({ search, filters, onChange, first, last }: FilterBarProps) {
  return (
    <search className={styles.toolbar}>
      {search && (
        <SearchField
          label={search.label}
          value={search.value ?? ""}
          onChange={(text) => onChange({ search: text }, true)}
        />
      )}
      {first}
      {filters.map(({ name, instead = [], ...shown }) => (
        <FilterSelect
          key={name}
          {...shown}
          onChange={(value) =>
            onChange({ ...Object.fromEntries(instead.map((other) => [other, null])), [name]: value })
          }
        />
      ))}
      {last}
    </search>
  );
}

interface FilterSelectProps {
  readonly label: string;
  /** What stands there while nothing is chosen: "Any status". */
  readonly any: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
}

/** One filter of a list. The system's own control: it works by keyboard and finger, and weighs nothing. */
function FilterSelect({ label, any, options, value = "", onChange }: FilterSelectProps) {
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

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Searches as one types, a moment after the last letter. */
function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const later = useDebouncedCallback(onChange, 250);
  const type = (next: string) => {
    setText(next);
    later(next);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={text !== "" && <CloseButton size={20} aria-label="Clear the search" onClick={() => type("")} />}
      className={styles.search}
    />
  );
}
