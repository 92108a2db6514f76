"use client";

import { type ComboboxParsedItem, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import styles from "#components/list/data-table.module.css";
import { rankedBy } from "#lib/search-words.ts";
import { flowQueries } from "./flow-queries.ts";
import type { FlowSelectProps } from "./flow-select.tsx";

interface FlowSearchProps extends FlowSelectProps {
  readonly value: string;
  readonly any: string;
  /** The selected one's name. */
  readonly name: string;
  readonly onClose: () => void;
  /** Called before it closes after a choice, so that focus returns to its origin. */
  readonly onDone: () => void;
}

/** Stands for "none" in the list, whose values cannot be empty. */
const none = "none";

function matching(typed: string): (option: ComboboxParsedItem) => boolean {
  const rank = rankedBy(typed);
  return (option) => "label" in option && rank(option.label) !== undefined;
}

/** The flows that match the typed text, initially open: it was loaded on demand. */
export default function FlowSearch({ value, any, name, label, onChange, ...rest }: FlowSearchProps) {
  const { onClose, onDone, ...field } = rest;
  const [typed, type] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery(flowQueries.matching(useApi(), search));
  const isCurrent = typed.trim() === search && !found.isPlaceholderData;
  const flows = (found.data?.items ?? []).map((flow) => ({ value: flow.id, label: flow.name }));
  const isChosenMissing = value !== "" && !flows.some((flow) => flow.value === value);
  const chosen = isChosenMissing ? [{ value, label: name }] : [];
  const data = search === "" ? [{ value: none, label: any }, ...chosen, ...flows] : flows;
  const choose = (id: string | null) => {
    onDone();
    if (id !== null) onChange(id === none ? null : id);
    onClose();
  };
  return (
    <Select
      {...field}
      {...(label === undefined ? { "aria-label": "Flow" } : { label })}
      className={label === undefined && field.id === undefined ? styles.filter : undefined}
      data={data}
      // With a value set, it would become the search text.
      value={null}
      onChange={choose}
      searchable
      searchValue={typed}
      onSearchChange={type}
      // The server filters. An earlier search's results are filtered here too, or Enter could choose one that does not match.
      filter={({ options }) => (isCurrent ? options : options.filter(matching(typed)))}
      allowDeselect={false}
      selectFirstOptionOnChange
      defaultDropdownOpened
      autoFocus
      placeholder={name}
      nothingFoundMessage={
        found.isPending || !isCurrent
          ? "Searching…"
          : found.isError
            ? "The flows could not be loaded"
            : "No matching flows"
      }
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
      }}
      onDropdownClose={onClose}
      comboboxProps={{
        shadow: "md",
        width: "max-content",
        position: "bottom-start",
        styles: { dropdown: { maxWidth: 420 } },
      }}
      maxDropdownHeight={320}
    />
  );
}
