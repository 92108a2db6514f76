"use client";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#components/api/use-api.ts";
import view from "#components/executions/page/run-view.module.css";
import { runQueries } from "#components/executions/run-queries.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { type Column, DataTable } from "#components/list/data-table.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import styles from "./compare.module.css";

/** A longer list would not be read; the trees below show every difference. */
const differencesMax = 50;

interface ComparedValueProps {
  readonly run: ShownExecution;
  readonly other: ShownExecution;
  readonly nodeId: string;
  readonly name: string;
}

/** A node's inputs and outputs in both runs: first the differences, then everything. */
export function ComparedValue({ run, other, nodeId, name }: ComparedValueProps) {
  const api = useApi();
  const here = useQuery(runQueries.node(api, run.id, nodeId));
  const there = useQuery(runQueries.node(api, other.id, nodeId));
  const [left, right] = [valuesOf(here.data), valuesOf(there.data)];
  const differences = useMemo(
    () =>
      left && right
        ? namesOf(left, right).flatMap((part) => differingValues(left[part], right[part], part, differencesMax))
        : null,
    [left, right],
  );
  return (
    <>
      <section className={view.section} aria-labelledby="differences">
        <h2 id="differences" className={view.heading}>
          {name}: differences
        </h2>
        {(here.isPending || there.isPending) && <Skeleton height={88} />}
        {differences?.length === 0 && <p className={view.remark}>Input and output are the same in both runs.</p>}
        {differences !== null && differences.length > 0 && (
          <DataTable columns={columns} rows={differences.slice(0, differencesMax)} keyOf={({ path }) => path} />
        )}
      </section>
      <div className={view.pair}>
        <Whole title="This run" value={left} missing={here.isError} />
        <Whole title="The other run" value={right} missing={there.isError} />
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

function namesOf(left: NodeValue, right: NodeValue) {
  return (["input", "output", "error"] as const).filter(
    (name) => left[name] !== undefined || right[name] !== undefined,
  );
}

function Whole({ title, value, missing }: { title: string; value: NodeValue | undefined; missing: boolean }) {
  const shown = useMemo(
    () => value && Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)),
    [value],
  );
  return (
    <section className={view.section} aria-label={title}>
      <h3 className={view.heading}>{title}</h3>
      {missing && <p className={view.remark}>This node wasn’t in this run.</p>}
      {shown && <JsonTree value={shown} path="node" label={title} />}
    </section>
  );
}

/** A path at which two JSON values differ; `undefined` if one of them has nothing there. */
interface Difference {
  readonly path: string;
  readonly here: unknown;
  readonly there: unknown;
}

/** The paths at which two JSON values differ, as deep as both go, in order; up to this many. */
export function differingValues(here: unknown, there: unknown, path: string, most: number): Difference[] {
  if (Object.is(here, there)) return [];
  const steps = stepsOf(here, there, path);
  if (steps === null) return [{ path, here, there }];
  const found: Difference[] = [];
  for (const step of steps) {
    if (found.length >= most) break;
    found.push(...differingValues(step.here, step.there, step.path, most - found.length));
  }
  return found;
}

/** The values' members; null if they cannot be compared any deeper. */
function stepsOf(here: unknown, there: unknown, path: string): Difference[] | null {
  if (Array.isArray(here) && Array.isArray(there)) {
    const length = Math.max(here.length, there.length);
    return Array.from({ length }, (_, index) => ({
      path: `${path}[${index}]`,
      here: here[index],
      there: there[index],
    }));
  }
  if (!isJsonObject(here) || !isJsonObject(there)) return null;
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  return names.map((name) => ({ path: memberPath(path, name), here: own(here, name), there: own(there, name) }));
}

function own(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function memberPath(path: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}
