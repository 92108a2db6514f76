"use client";

import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import styles from "#components/list/data-table.module.css";
import { flowQueries } from "./flow-queries.ts";
import type { FlowSelectProps } from "./flow-select.tsx";

interface FlowSearchProps extends FlowSelectProps {
  readonly value: string;
  readonly any: string;
  /** What the chosen one is called. */
  readonly name: string;
  readonly onClose: () => void;
  /** Before it closes because its work is done: the focus goes back to where it was. */
  readonly onDone: () => void;
}

/** Stands for none in the list, whose values cannot be empty. */
const none = "none";

/** The list of flows that fit what is typed, open to begin with: it was fetched because it was asked for. */
export default function FlowSearch({ value, any, name, label, onChange, ...rest }: FlowSearchProps) {
  const { onClose, onDone, ...field } = rest;
  const [typed, type] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery(flowQueries.matching(useApi(), search));
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
      // With one it would be what is searched for.
      value={null}
      onChange={choose}
      searchable
      searchValue={typed}
      onSearchChange={type}
      // The server has chosen already.
      filter={({ options }) => options}
      allowDeselect={false}
      selectFirstOptionOnChange
      defaultDropdownOpened
      autoFocus
      placeholder={name}
      nothingFoundMessage={
        found.isPending ? "Searching…" : found.isError ? "The flows could not be loaded" : "No matching flows"
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
