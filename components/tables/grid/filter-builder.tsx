"use client";

import { ActionIcon, Button, NativeSelect, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
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
  const [lines, setLines] = useState<readonly KeyedLine[]>(() =>
    given === null || given.length === 0 ? [newLine(0)] : given.map((line, key) => ({ ...line, key })),
  );
  const [isTried, setTried] = useState(false);
  const { where: next, problems } = filterOf(lines, columns);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problems.every((problem) => problem === undefined)) onChange(next);
  };
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
  const put = (key: number, change: Partial<FilterLine>) =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  return (
    <form className={styles.filter} onSubmit={apply} aria-label="Filter" noValidate>
      {lines.map(({ key, column: name, is, value }, at) => {
        const column = columns.find((one) => one.name === name);
        const choices = column ? comparisonsOf(column) : [];
        const which = `Condition ${at + 1}`;
        const pick = (next: string) => {
          const other = columns.find((one) => one.name === next);
          const fits = other && comparisonsOf(other).some((choice) => choice.value === is);
          put(key, { column: next, ...(other && !fits && { is: comparisonsOf(other)[0]?.value ?? "eq" }), value: "" });
        };
        return (
          <div key={key} className={styles.condition}>
            <span className={styles.joint}>{at === 0 ? "Where" : "and"}</span>
            <NativeSelect
              aria-label={`${which}: column`}
              data={columns.map((one) => one.name)}
              value={name}
              onChange={(event) => pick(event.currentTarget.value)}
            />
            <NativeSelect
              aria-label={`${which}: comparison`}
              data={choices}
              value={is}
              onChange={(event) => put(key, { is: event.currentTarget.value as FilterLine["is"] })}
            />
            {!needsValue(is) ? null : column?.type === "boolean" ? (
              <NativeSelect
                aria-label={`${which}: value`}
                data={["", "true", "false"]}
                value={value}
                onChange={(event) => put(key, { value: event.currentTarget.value })}
                error={isTried && problems[at]}
              />
            ) : (
              <TextInput
                aria-label={`${which}: value`}
                placeholder={is === "in" ? "one, another" : column?.type === "time" ? "2026-01-31" : "value"}
                value={value}
                onChange={(event) => put(key, { value: event.currentTarget.value })}
                error={isTried && problems[at]}
                className={styles.value}
                spellCheck={false}
                autoComplete="off"
              />
            )}
            <ActionIcon
              variant="subtle"
              size="var(--control-height)"
              aria-label={`Remove ${which.toLowerCase()}`}
              onClick={() => (lines.length === 1 ? onChange(null) : setLines(lines.filter((line) => line.key !== key)))}
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
          onClick={() => setLines([...lines, newLine(Math.max(...lines.map(({ key }) => key)) + 1)])}
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
