"use client";

import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { type Column, DataTable } from "#components/page/data-table.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";
import { runQueries } from "../run-queries.ts";
import view from "../run-view.module.css";
import styles from "./compare.module.css";
import { type Difference, differingValues } from "./differing-values.ts";

/** More than these nobody reads one by one; the trees below have them all. */
const differencesMax = 50;

interface ComparedValueProps {
  readonly run: ShownExecution;
  readonly other: ShownExecution;
  readonly nodeId: string;
  readonly name: string;
}

/** What a node was given and made in both runs: first where that differs, then all of it. */
export function ComparedValue({ run, other, nodeId, name }: ComparedValueProps) {
  const api = useApi();
  const here = useQuery(runQueries.node(api, run.id, nodeId));
  const there = useQuery(runQueries.node(api, other.id, nodeId));
  const [one, two] = [valuesOf(here.data), valuesOf(there.data)];
  const differences = useMemo(
    () =>
      one && two
        ? namesOf(one, two).flatMap((part) => differingValues(one[part], two[part], part, differencesMax))
        : null,
    [one, two],
  );
  return (
    <>
      <section className={view.section} aria-labelledby="differences">
        <h2 id="differences" className={view.heading}>
          {name}: what differs
        </h2>
        {(here.isPending || there.isPending) && <Skeleton height={88} />}
        {differences?.length === 0 && <p className={view.remark}>It was given and made the same in both runs.</p>}
        {differences !== null && differences.length > 0 && (
          <DataTable columns={columns} rows={differences.slice(0, differencesMax)} keyOf={({ path }) => path} />
        )}
      </section>
      <div className={view.pair}>
        <Whole title="This run" value={one} missing={here.isError} />
        <Whole title="The other run" value={two} missing={there.isError} />
      </div>
    </>
  );
}

const columns: readonly Column<Difference>[] = [
  { head: "Where", kind: "lead", cell: ({ path }) => <span className={styles.path}>{path}</span> },
  { head: "This run", label: "This run", cell: ({ here }) => <Value value={here} /> },
  { head: "The other run", label: "The other run", cell: ({ there }) => <Value value={there} /> },
];

const textMax = 160;

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className={styles.nothing}>nothing</span>;
  const text = JSON.stringify(value);
  return <span className={styles.value}>{text.length > textMax ? `${text.slice(0, textMax)}…` : text}</span>;
}

type NodeValue = Partial<Pick<ShownNodeExecution, "input" | "output" | "error">>;

function valuesOf(node: ShownNodeExecution | undefined): NodeValue | undefined {
  return node && { input: node.input, output: node.output, error: node.error };
}

function namesOf(one: NodeValue, two: NodeValue) {
  return (["input", "output", "error"] as const).filter((name) => one[name] !== undefined || two[name] !== undefined);
}

function Whole({ title, value, missing }: { title: string; value: NodeValue | undefined; missing: boolean }) {
  const shown = useMemo(
    () => value && Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)),
    [value],
  );
  return (
    <section className={view.section} aria-label={title}>
      <h3 className={view.heading}>{title}</h3>
      {missing && <p className={view.remark}>The node was not part of this run.</p>}
      {shown && <JsonTree value={shown} path="node" label={title} />}
    </section>
  );
}
