import type { ReactNode } from "react";
import styles from "./data-table.module.css";
import { FilterSelect } from "./filter-select.tsx";
import { SearchField } from "./search-field.tsx";
import type { UrlChange } from "./use-url-state.ts";

export interface Filter {
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
