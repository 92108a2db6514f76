"use client";
import { ActionIcon, TextInput } from "@mantine/core";
import { IconDownload, IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useDeferredValue, useMemo, useState } from "react";
import { CopyButton } from "#components/page/copy-button.tsx";
import { JsonRow } from "./json-row.tsx";
import { copiedText, isLongerThan, type JsonRow as Row, RowWalk } from "./json-rows.ts";
import styles from "./json-tree.module.css";

const LongRows = lazy(() => import("./long-rows.tsx"));

interface JsonTreeProps {
  readonly value: unknown;
  /** The expression for the root value: `$nodes['check'].output`. Copied paths start with it. */
  readonly path: string;
  /** Its label, for screen readers. */
  readonly label: string;
}

/** Up to this many rows are all rendered; beyond, only those on the screen. */
const rowsPlainMax = 120;
const rowsSeenAtFirst = 24;
/** From this many rows on, a search is offered. */
const rowsWithToolsMin = 24;

/**
 * A JSON value as a tree. Renders only open branches, and only the visible rows of long ones, which are found as far as
 * one scrolls, so a large value costs only what is visible. Text is shown as text, never as markup or a link.
 */
export function JsonTree({ value, path, label }: JsonTreeProps) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [search, setSearch] = useState("");
  // Typing goes before searching, which takes a moment in a large value.
  const wanted = useDeferredValue(search);
  const walk = useMemo(() => new RowWalk(value, path, { toggled, search: wanted }), [value, path, toggled, wanted]);
  const { rows, isDone } = walk;
  const [, countTurn] = useState(0);
  const toggle = (at: string, opened: boolean) => setToggled((before) => new Map(before).set(at, opened));
  const [isLong] = useState(() => rows.length >= rowsWithToolsMin || isLongerThan(value, 4_000));
  return (
    <section className={styles.tree} aria-label={label}>
      {isLong && <JsonTools value={value} label={label} search={search} onSearch={setSearch} />}
      {rows.length === 0 && isDone && <p className={styles.nothing}>No matches.</p>}
      {isDone && rows.length <= rowsPlainMax ? (
        rows.map((row) => <JsonRow key={row.path} row={row} onToggle={toggle} />)
      ) : (
        <Suspense fallback={<FirstRows rows={rows} onToggle={toggle} />}>
          <LongRows walk={walk} onTurn={() => countTurn((turns) => turns + 1)} onToggle={toggle} />
        </Suspense>
      )}
    </section>
  );
}

interface FirstRowsProps {
  readonly rows: readonly Row[];
  readonly onToggle: (path: string, opened: boolean) => void;
}

/** The first rows of a long value, until its virtual list is loaded. */
function FirstRows({ rows, onToggle }: FirstRowsProps) {
  return (
    <div className={styles.scroller} aria-busy="true">
      {rows.slice(0, rowsSeenAtFirst).map((row) => (
        <JsonRow key={row.path} row={row} onToggle={onToggle} />
      ))}
    </div>
  );
}

interface JsonToolsProps {
  readonly value: unknown;
  readonly label: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** Searches a large value, and copies or downloads it. */
function JsonTools({ value, label, search, onSearch }: JsonToolsProps) {
  return (
    <div className={styles.tools}>
      <TextInput
        size="xs"
        aria-label={`Search in ${label.toLowerCase()}`}
        placeholder="Search names and values"
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        className={styles.search}
      />
      <CopyButton text={() => copiedText(value)} label={`Copy all of ${label.toLowerCase()}`} />
      <ActionIcon
        variant="subtle"
        size={24}
        aria-label={`Download ${label.toLowerCase()}`}
        title="Download as a file"
        onClick={() => download(label, copiedText(value))}
      >
        <IconDownload size={14} />
      </ActionIcon>
    </div>
  );
}

function download(label: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${label.toLowerCase().replaceAll(" ", "-")}.json`;
  link.click();
  URL.revokeObjectURL(url);
}
