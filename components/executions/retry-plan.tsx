import { Skeleton } from "@mantine/core";
import { IconCircleDashed, IconPlayerPlay, IconRecycle } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { z } from "zod";
import { explainFailure } from "#components/page/explain-failure.ts";
import type { retryPlan } from "#lib/contract/executions.ts";
import styles from "./retry-plan.module.css";

const plans = {
  reused: { label: "output reused", icon: IconRecycle },
  runs: { label: "runs", icon: IconPlayerPlay },
  skipped: { label: "left alone", icon: IconCircleDashed },
} as const;

/** What becomes of each node: whether its output is taken over, or it runs again. */
export function RetryPlan({ plan }: { readonly plan: UseQueryResult<z.output<typeof retryPlan>> }) {
  if (plan.isError) return <p className={styles.note}>What would run is not known. {explainFailure(plan.error).why}</p>;
  if (plan.data === undefined) return <Skeleton height={96} />;
  const { nodes, flowVersion, originalVersion } = plan.data;
  return (
    <div>
      {flowVersion !== originalVersion && (
        <p className={styles.note}>
          The flow has changed since: version {flowVersion} runs, where this run was of version {originalVersion}.
        </p>
      )}
      <ul className={styles.plan} aria-label="Plan">
        {nodes.map(({ nodeId, nodeName, plan: what }) => {
          const { label, icon: Icon } = plans[what];
          return (
            <li key={nodeId} className={styles.node} data-plan={what}>
              <Icon size={16} aria-hidden="true" />
              <span className={styles.name}>{nodeName}</span>
              <span className={styles.what}>{label}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
