"use client";

import { IconBell } from "@tabler/icons-react";
import Link from "next/link";
import { alertAddress } from "#components/alerts/alert-address.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { useNow } from "#components/time/use-now.ts";
import type { ShownAlert } from "#lib/contract/alerts.ts";
import styles from "./health-line.module.css";

/** An alert is news for so long. */
const newsMs = 24 * 3_600_000;

/** The last alert of a day, and how many more there were; nothing while there is none. */
export function LatestAlerts({ alerts }: { readonly alerts: readonly ShownAlert[] }) {
  const now = useNow(60_000);
  const news = alerts.filter(({ at }) => now - Date.parse(at) < newsMs);
  const [latest, ...others] = news;
  if (latest === undefined) return null;
  return (
    <p className={styles.line} data-tone="quiet">
      <IconBell size={20} stroke={1.7} aria-hidden="true" />
      <span>
        {latest.ruleName}:{" "}
        <Link href={alertAddress(latest)} className={styles.link}>
          {latest.message}
        </Link>
        , <RelativeTime at={latest.at} />
        {others.length > 0 && (
          <>
            {" · "}
            <Link href="/alerts" className={styles.link}>
              {others.length} more
            </Link>
          </>
        )}
      </span>
    </p>
  );
}
