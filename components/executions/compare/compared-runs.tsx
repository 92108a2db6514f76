"use client";

import { NativeSelect } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { shortenId } from "#components/page/short-id.tsx";
import { RunStatus } from "#components/status/run-status.tsx";
import { isLive, runStatuses } from "#components/status/run-statuses.ts";
import { useExactTime } from "#components/time/exact-time.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { RunningDuration } from "#components/time/running-duration.tsx";
import type { ShownExecution } from "#lib/contract/executions.ts";
import type { RunListItem } from "../run-table.tsx";
import styles from "./compare.module.css";

interface ComparedRunsProps {
  readonly run: ShownExecution;
  readonly other: ShownExecution | undefined;
  readonly choices: readonly RunListItem[];
  readonly otherId: string;
  readonly onChoose: (id: string) => void;
}

/** Which two runs are compared: what became of each, when, and by which version. */
export function ComparedRuns({ run, other, choices, otherId, onChoose }: ComparedRunsProps) {
  const exact = useExactTime();
  const data = choices.map(({ id: value, status, startedAt }) => ({
    value,
    label: `${exact.format(startedAt)}, ${runStatuses[status].label.toLowerCase()}`,
  }));
  const isListed = data.some(({ value }) => value === otherId);
  return (
    <div className={styles.runs}>
      <Side title="This run" run={run} />
      <Side title="The other run" run={other}>
        <NativeSelect
          aria-label="The other run"
          data={isListed ? data : [{ value: otherId, label: shortenId(otherId) }, ...data]}
          value={otherId}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      </Side>
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly run: ShownExecution | undefined;
  readonly children?: ReactNode;
}

function Side({ title, run, children }: SideProps) {
  return (
    <section className={styles.run} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
      {run && (
        <div className={styles.facts}>
          <RunStatus status={run.status} filled />
          <RunningDuration startedAt={run.startedAt} durationMs={run.duration} live={isLive(run.status)} />
          <span>
            Started <RelativeTime at={run.startedAt} />
          </span>
          <span>Version {run.flowVersion}</span>
          <Link href={`/runs/${run.id}`} className={styles.link}>
            <span className="mono">{shortenId(run.id)}</span>
          </Link>
        </div>
      )}
      {run?.error !== undefined && <p className={styles.error}>{run.error.message}</p>}
    </section>
  );
}
