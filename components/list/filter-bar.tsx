"use client";
import { CloseButton, InputBase, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconSelector } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { UrlChange } from "#components/page/use-url-state.ts";
import styles from "./data-table.module.css";
import { usePresses } from "./use-steady.ts";

interface Filter {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  /** The text while nothing is selected: "Any status". */
  readonly any: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  /** Other URL parameters that a choice resets. */
  readonly instead?: readonly string[];
}

interface FilterBarProps {
  readonly search?: { readonly label: string; readonly value: string | undefined };
  readonly filters: readonly Filter[];
  readonly onChange: (change: UrlChange, replace?: boolean) => void;
  /** Between the search and the filters. */
  readonly first?: ReactNode;
  /** After the filters. */
  readonly last?: ReactNode;
}

/** A list's search, filters and order. */
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
  /** The text while nothing is selected: "Any status". */
  readonly any: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
}

/** One filter of a list, as a native control: it works by keyboard and touch, and costs nothing. */
function FilterSelect({ label, any, options, value = "", onChange }: FilterSelectProps) {
  // A value without an option, for instance from a typed URL.
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

/** Searches while typing, a moment after the last key. */
function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  /** Searches that are not in the URL yet: they come back after more was typed, and must not replace it. */
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const place = sent.current.indexOf(value);
    sent.current = sent.current.slice(place + 1);
    if (place < 0) setText(value);
  }, [value]);
  const send = (search: string) => {
    if (search !== value) sent.current.push(search);
    onChange(search);
  };
  const later = useDebouncedCallback(send, 250);
  const type = (next: string) => {
    setText(next);
    later(next);
  };
  const presses = usePresses();
  // Searching changes the URL: after a click on a link, it would cancel the navigation. And it redraws the list: between
  // press and release, it would lose the click.
  const leave = (typed: string) => {
    if (typed === value) return;
    later.cancel();
    presses.current?.after(() => send(typed));
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={(event) => leave(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={text !== "" && <CloseButton size={20} aria-label="Clear the search" onClick={() => type("")} />}
      className={styles.search}
    />
  );
}
