"use client";

import { Progress, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { explainFailure } from "#components/page/explain-failure.ts";
import styles from "#components/settings/settings-section.module.css";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownUsage } from "#lib/contract/workspaces.ts";
import { usageQuery } from "./usage-query.ts";

const count = new Intl.NumberFormat("en");
/** From here on it is said by colour too. */
const nearlyAll = 0.8;

/** How many of the hour's requests the workspace's keys have made. */
export function QuotaUse() {
  const usage = useQuery(usageQuery(useApi()));
  if (usage.data !== undefined) return <Use requests={usage.data.requests} />;
  if (!usage.isError) return <Skeleton height={40} />;
  return (
    <p role="alert" className={styles.problem}>
      It could not be loaded. {explainFailure(usage.error).why}
    </p>
  );
}

function Use({ requests: { used, limit, resetAt } }: Pick<ShownUsage, "requests">) {
  if (limit === null) return <p className={styles.text}>This service counts no requests: there is no limit.</p>;
  const share = Math.min(1, used / limit);
  const color = share >= 1 ? "red" : share >= nearlyAll ? "orange" : "mill";
  return (
    <div className={styles.fields}>
      <Progress value={share * 100} color={color} aria-label="Requests used of this hour" />
      <p className={styles.text}>
        {count.format(used)} of {count.format(limit)} requests; the next hour begins <RelativeTime at={resetAt} />.
      </p>
    </div>
  );
}
