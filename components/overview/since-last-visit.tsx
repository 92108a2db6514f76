"use client";
import { IconHandClick } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { runsAddress } from "#components/executions/run-queries.ts";
import { Link } from "#components/page/link.tsx";
import { recoveredWords } from "#components/status/recovered-words.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { Approval } from "#lib/contract/executions/waits.ts";
import lineStyles from "./health-line.module.css";
import { noteOwnVisit } from "./last-visit.ts";
import { overviewQueries } from "./overview-queries.ts";
import styles from "./since-last-visit.module.css";

const count = new Intl.NumberFormat("en");
const counted = (number: number, singular: string, plural: string) =>
  `${count.format(number)} ${number === 1 ? singular : plural}`;
const noteMs = 60_000;
const shownMax = 5;

/** When the previous visit ended; null until known, and on the first. */
function useVisitBefore(): string | null {
  const [before, setBefore] = useState<number | null>(null);
  useEffect(() => {
    const note = () => {
      if (document.visibilityState === "visible") setBefore(noteOwnVisit().before);
    };
    note();
    const timer = setInterval(note, noteMs);
    document.addEventListener("visibilitychange", note);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", note);
    };
  }, []);
  return before === null ? null : new Date(before).toISOString();
}

/** The summary above the figures: what waits for you, what failed since your last visit, what is live. */
export function SinceLastVisit({ flow }: { readonly flow: string | undefined }) {
  const api = useApi();
  const since = useVisitBefore();
  const approvals = useQuery(overviewQueries.approvals(api)).data ?? [];
  const live = useQuery(overviewQueries.live(api)).data;
  const failed = useQuery(overviewQueries.failedSince(api, flow, since)).data;
  const waiting = approvals.filter(({ flowId }) => flow === undefined || flowId === flow);
  return (
    <section className={styles.summary} aria-label="In short">
      {waiting.length > 0 && <Waiting approvals={waiting} />}
      <p className={styles.facts}>
        {live !== undefined && (
          <Link href="/flows?status=active">{counted(live, "flow is live", "flows are live")}</Link>
        )}
        {since !== null && failed !== undefined && (
          <span>
            {failed.count === 0 ? (
              "Nothing failed"
            ) : (
              <Link href={runsAddress({ flow, status: "failed,timeout", from: since })}>
                {counted(failed.count, "run failed", "runs failed")}
              </Link>
            )}{" "}
            since your last visit, <RelativeTime at={since} />
            {failed.recovered > 0 && `; ${recoveredWords(failed.recovered, failed.count)}`}
          </span>
        )}
      </p>
    </section>
  );
}

/** Forms that wait for an answer, longest wait first. */
function Waiting({ approvals }: { readonly approvals: readonly Approval[] }) {
  return (
    <div className={`${lineStyles.line} ${styles.waiting}`} data-tone="waiting">
      <IconHandClick size={20} stroke={1.8} aria-hidden="true" />
      <div>
        <strong>{counted(approvals.length, "form is waiting for an answer", "forms are waiting for an answer")}</strong>
        <ul className={styles.list}>
          {approvals.slice(0, shownMax).map(({ executionId, nodeId, iteration, nodeName, title, flowName, since }) => (
            <li key={`${executionId} ${nodeId} ${iteration}`}>
              <Link href={`/runs/${executionId}`} className={lineStyles.link}>
                {title ?? nodeName}
              </Link>{" "}
              <span className={styles.quiet}>
                {flowName}, asked <RelativeTime at={since} />
              </span>
            </li>
          ))}
        </ul>
        {approvals.length > shownMax && (
          <Link href="/runs?status=running" className={lineStyles.link}>
            {approvals.length - shownMax} more
          </Link>
        )}
      </div>
    </div>
  );
}
