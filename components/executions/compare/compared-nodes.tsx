"use client";

import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import view from "#components/executions/page/run-view.module.css";
import styles from "#components/list/data-table.module.css";
import { type Column, DataTable } from "#components/list/data-table.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import compare from "./compare.module.css";
import { ComparedValue } from "./compared-value.tsx";

interface ComparedNodesProps {
  readonly run: ShownExecution;
  readonly other: ShownExecution;
}

interface Pair {
  readonly id: string;
  readonly name: string;
  readonly here: ShownNodeExecution | undefined;
  readonly there: ShownNodeExecution | undefined;
}

/** The nodes of both runs side by side; below, the selected one's inputs and outputs. */
export function ComparedNodes({ run, other }: ComparedNodesProps) {
  const pairs = pairsOf(run, other);
  const [chosen, choose] = useState(run.error?.nodeId ?? other.error?.nodeId ?? firstOther(pairs)?.id);
  const pair = pairs.find(({ id }) => id === chosen) ?? pairs[0];
  return (
    <div className={view.view}>
      <DataTable columns={columnsOf(pair?.id, choose)} rows={pairs} keyOf={({ id }) => id} />
      {pair !== undefined && (
        <ComparedValue key={`${other.id} ${pair.id}`} run={run} other={other} nodeId={pair.id} name={pair.name} />
      )}
    </div>
  );
}

function columnsOf(chosen: string | undefined, choose: (id: string) => void): readonly Column<Pair>[] {
  return [
    {
      head: "Node",
      kind: "lead",
      cell: ({ id, name }) => (
        <UnstyledButton
          className={`${styles.rowLink} ${compare.node}`}
          fz="inherit"
          aria-pressed={id === chosen}
          onClick={() => choose(id)}
        >
          {name}
        </UnstyledButton>
      ),
    },
    { head: "This run", label: "This run", cell: ({ here }) => <Outcome node={here} /> },
    { head: "The other run", label: "The other run", cell: ({ there }) => <Outcome node={there} /> },
    { head: "Difference", cell: (pair) => differenceOf(pair) },
  ];
}

function Outcome({ node }: { readonly node: ShownNodeExecution | undefined }) {
  if (node === undefined) return <span className={compare.nothing}>not in this run</span>;
  return (
    <span className={compare.outcome}>
      <RunStatus {...node} />
      {node.duration !== null && <span className={compare.took}>{formatDuration(node.duration)}</span>}
    </span>
  );
}

/** The node's status or handle differs, or it took much longer. */
function differenceOf({ here, there }: Pair) {
  if (here === undefined || there === undefined) return "Only in one run";
  if (here.status !== there.status) return "Different result";
  if ((here.handle ?? null) !== (there.handle ?? null))
    return `Took “${here.handle ?? "default"}”, not “${there.handle ?? "default"}”`;
  const [left, right] = [here.duration ?? 0, there.duration ?? 0];
  if (Math.abs(left - right) < notableMs || Math.max(left, right) < 2 * Math.min(left, right)) return "";
  return left > right ? `${formatDuration(left - right)} slower` : `${formatDuration(right - left)} faster`;
}

const notableMs = 100;

function firstOther(pairs: readonly Pair[]): Pair | undefined {
  return pairs.find((pair) => differenceOf(pair) !== "");
}

/** The nodes of either run, in the order of the first. */
function pairsOf(run: ShownExecution, other: ShownExecution): Pair[] {
  const there = new Map(other.nodes.map((node) => [node.nodeId, node]));
  const own = run.nodes.map((node) => ({
    id: node.nodeId,
    name: node.nodeName,
    here: node,
    there: there.get(node.nodeId),
  }));
  const known = new Set(own.map(({ id }) => id));
  const rest = other.nodes.filter(({ nodeId }) => !known.has(nodeId));
  return [...own, ...rest.map((node) => ({ id: node.nodeId, name: node.nodeName, here: undefined, there: node }))];
}
