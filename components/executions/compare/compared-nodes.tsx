"use client";

import { UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import styles from "#components/page/data-table.module.css";
import { type Column, DataTable } from "#components/page/data-table.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions.ts";
import { runQueries } from "../run-queries.ts";
import view from "../run-view.module.css";

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

/** The nodes of both runs side by side; below, what the chosen one made in each. */
export function ComparedNodes({ run, other }: ComparedNodesProps) {
  const pairs = pairsOf(run, other);
  const [chosen, choose] = useState(run.error?.nodeId ?? other.error?.nodeId ?? pairs[0]?.id ?? null);
  return (
    <div className={view.view}>
      <DataTable columns={columnsOf(choose)} rows={pairs} keyOf={({ id }) => id} />
      {chosen !== null && (
        <div className={view.pair}>
          <NodeOutput key={`here ${chosen}`} title="This run" run={run} nodeId={chosen} />
          <NodeOutput key={`there ${other.id} ${chosen}`} title="The other run" run={other} nodeId={chosen} />
        </div>
      )}
    </div>
  );
}

function columnsOf(choose: (id: string) => void): readonly Column<Pair>[] {
  const status = (node: ShownNodeExecution | undefined) => (node ? <RunStatus status={node.status} /> : "not there");
  const took = (node: ShownNodeExecution | undefined) =>
    node?.duration === undefined || node.duration === null ? "–" : formatDuration(node.duration);
  return [
    {
      head: "Node",
      kind: "lead",
      cell: ({ id, name }) => (
        <UnstyledButton className={styles.rowLink} fz="inherit" onClick={() => choose(id)}>
          {name}
        </UnstyledButton>
      ),
    },
    { head: "This run", label: "This run", cell: ({ here }) => status(here) },
    { head: "Took", kind: "number", cell: ({ here }) => took(here) },
    { head: "The other run", label: "The other run", cell: ({ there }) => status(there) },
    { head: "It took", kind: "number", cell: ({ there }) => took(there) },
  ];
}

interface NodeOutputProps {
  readonly title: string;
  readonly run: ShownExecution;
  readonly nodeId: string;
}

function NodeOutput({ title, run, nodeId }: NodeOutputProps) {
  const node = useQuery(runQueries.node(useApi(), run.id, nodeId));
  const value = node.data && { input: node.data.input, output: node.data.output, error: node.data.error };
  return (
    <section className={view.section} aria-label={title}>
      <h2 className={view.heading}>
        {title}: {node.data?.nodeName ?? nodeId}
      </h2>
      {node.isError && <p className={view.remark}>The node was not part of this run.</p>}
      {value && <JsonTree value={JSON.parse(JSON.stringify(value))} path="node" label={title} />}
    </section>
  );
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
