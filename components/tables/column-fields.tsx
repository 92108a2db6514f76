"use client";

import { ActionIcon, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./column-fields.module.css";
import { type ColumnType, typeWords } from "./table-queries.ts";

/** A column as entered in a form. */
export interface ColumnDraft {
  readonly name: string;
  readonly type: ColumnType;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly required: boolean;
}

export const emptyColumn: ColumnDraft = { name: "", type: "text", unique: false, indexed: false, required: false };

const types = Object.entries(typeWords).map(([value, label]) => ({ value, label }));

interface ColumnFieldsProps {
  readonly column: ColumnDraft;
  readonly onChange: (column: ColumnDraft) => void;
  /** Problems by field. */
  readonly problems: Readonly<Record<string, ReactNode>>;
  /** Distinguishes several columns for screen readers: "Column 2". */
  readonly which: string;
  readonly onRemove?: () => void;
  readonly autoFocus?: boolean;
}

/** The fields of a new column: its name, its type and its constraints. */
export function ColumnFields({ column, onChange, problems, which, onRemove, autoFocus = false }: ColumnFieldsProps) {
  const { name, type } = column;
  const isJson = type === "json";
  const flag = (field: "unique" | "indexed" | "required", label: string, isOff = false) => (
    <Checkbox
      size="xs"
      label={label}
      aria-label={`${which}: ${label.toLowerCase()}`}
      checked={column[field] && !isOff}
      disabled={isOff}
      onChange={(event) => onChange({ ...column, [field]: event.currentTarget.checked })}
    />
  );
  return (
    <fieldset className={styles.column}>
      <legend className="unseen">{which}</legend>
      <div className={styles.line}>
        <TextInput
          aria-label={`${which}: name`}
          placeholder="Column name"
          value={name}
          onChange={(event) => onChange({ ...column, name: event.currentTarget.value })}
          error={problems.name}
          maxLength={100}
          spellCheck={false}
          autoComplete="off"
          className={styles.name}
          {...(autoFocus && { "data-autofocus": true })}
        />
        <NativeSelect
          aria-label={`${which}: type`}
          data={types}
          value={type}
          onChange={(event) => {
            const next = event.currentTarget.value as ColumnType;
            onChange({ ...column, type: next, ...(next === "json" && { unique: false, indexed: false }) });
          }}
          error={problems.type}
          className={styles.type}
        />
        {onRemove && (
          <ActionIcon variant="subtle" size="var(--control-height)" aria-label={`Remove ${which}`} onClick={onRemove}>
            <IconX size={16} />
          </ActionIcon>
        )}
      </div>
      <div className={styles.flags}>
        {flag("required", "Required")}
        {flag("unique", "Unique", isJson)}
        {flag("indexed", "Indexed", isJson || column.unique)}
      </div>
      {(problems.required ?? problems.unique ?? problems.indexed) && (
        <p className={styles.problem}>{problems.required ?? problems.unique ?? problems.indexed}</p>
      )}
    </fieldset>
  );
}
