"use client";

import { ActionIcon, Button, NativeSelect, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { ShownColumn } from "#components/tables/table-queries.ts";
import {
  comparisonsOf,
  type FilterLine,
  filterOf,
  linesMax,
  linesOf,
  needsValue,
} from "#components/tables/text/filter.ts";
import styles from "./toolbar.module.css";

interface FilterBuilderProps {
  readonly columns: readonly ShownColumn[];
  readonly where: string | undefined;
  readonly onChange: (where: string | null) => void;
}

interface KeyedLine extends FilterLine {
  readonly key: number;
}

/** Conditions that must all hold, as in the URL. Remounted for another filter. */
export function FilterBuilder({ columns, where, onChange }: FilterBuilderProps) {
  const given = linesOf(where, columns);
  const newLine = (key: number): KeyedLine => {
    const [first] = columns;
    return { key, column: first?.name ?? "", is: first ? (comparisonsOf(first)[0]?.value ?? "eq") : "eq", value: "" };
  };
  const form = useForm<{ lines: KeyedLine[] }>({
    initialValues: {
      lines: given === null || given.length === 0 ? [newLine(0)] : given.map((line, key) => ({ ...line, key })),
    },
    validate: ({ lines }) =>
      Object.fromEntries(filterOf(lines, columns).problems.map((problem, index) => [`lines.${index}.value`, problem])),
  });
  const { lines } = form.values;
  const apply = form.onSubmit((values) => onChange(filterOf(values.lines, columns).where));
  if (given === null) {
    return (
      <div className={styles.filter}>
        <p className={styles.hint}>
          This filter is too complex to show as conditions: <code>{where?.slice(0, 300)}</code>
        </p>
        <Button variant="default" onClick={() => onChange(null)}>
          Clear the filter
        </Button>
      </div>
    );
  }
  return (
    <form className={styles.filter} onSubmit={apply} aria-label="Filter" noValidate>
      {lines.map((line, index) => {
        const { key, column: name, is } = line;
        const column = columns.find((candidate) => candidate.name === name);
        const choices = column ? comparisonsOf(column) : [];
        const which = `Condition ${index + 1}`;
        const pick = (next: string) => {
          const other = columns.find((column) => column.name === next);
          const fits = other && comparisonsOf(other).some((choice) => choice.value === is);
          const first = other && !fits ? { is: comparisonsOf(other)[0]?.value ?? "eq" } : {};
          form.replaceListItem("lines", index, { ...line, ...first, column: next, value: "" });
        };
        return (
          <div key={key} className={styles.condition}>
            <span className={styles.joint}>{index === 0 ? "Where" : "and"}</span>
            <NativeSelect
              aria-label={`${which}: column`}
              data={columns.map((column) => column.name)}
              value={name}
              onChange={(event) => pick(event.currentTarget.value)}
            />
            <NativeSelect
              aria-label={`${which}: comparison`}
              data={choices}
              {...form.getInputProps(`lines.${index}.is`)}
            />
            {!needsValue(is) ? null : column?.type === "boolean" ? (
              <NativeSelect
                aria-label={`${which}: value`}
                data={["", "true", "false"]}
                {...form.getInputProps(`lines.${index}.value`)}
              />
            ) : (
              <TextInput
                aria-label={`${which}: value`}
                placeholder={is === "in" ? "one, another" : column?.type === "time" ? "2026-01-31" : "value"}
                {...form.getInputProps(`lines.${index}.value`)}
                className={styles.value}
                spellCheck={false}
                autoComplete="off"
              />
            )}
            <ActionIcon
              variant="subtle"
              size="var(--control-height)"
              aria-label={`Remove ${which.toLowerCase()}`}
              onClick={() => (lines.length === 1 ? onChange(null) : form.removeListItem("lines", index))}
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        );
      })}
      <div className={styles.line}>
        <Button type="submit">Apply</Button>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          disabled={lines.length >= linesMax}
          onClick={() => form.insertListItem("lines", newLine(Math.max(...lines.map(({ key }) => key)) + 1))}
        >
          Add condition
        </Button>
        {where !== undefined && (
          <Button variant="subtle" onClick={() => onChange(null)}>
            Clear the filter
          </Button>
        )}
      </div>
    </form>
  );
}
