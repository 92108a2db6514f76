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
export default function SinceLastVisit({ flow }: { readonly flow: string | undefined }) {
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
                <bdi>{title ?? nodeName}</bdi>
              </Link>{" "}
              <span className={styles.quiet}>
                <bdi>{flowName}</bdi>, asked <RelativeTime at={since} />
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

const key = "millrace:overview-visits";

/** After this much inactivity, a visit has ended. */
const restMs = 30 * 60_000;

interface Visits {
  /** When the previous visit ended; null on the first. */
  readonly before: number | null;
  /** When the page was last visited. */
  readonly seen: number;
}

/** Records a visit to the page, and returns the earlier ones. */
export function noteVisit(known: Visits | null, now: number): Visits {
  if (known === null) return { before: null, seen: now };
  return { before: now - known.seen >= restMs ? known.seen : known.before, seen: now };
}

/** The same, stored in this browser; a first visit each time where storage is blocked. */
export function noteOwnVisit(): Visits {
  const now = Date.now();
  try {
    const visits = noteVisit(readVisits(window.localStorage.getItem(key)), now);
    window.localStorage.setItem(key, JSON.stringify(visits));
    return visits;
  } catch {
    return noteVisit(null, now);
  }
}

/** The stored record; null for anything else. */
export function readVisits(text: string | null): Visits | null {
  try {
    const read: unknown = JSON.parse(text ?? "null");
    if (typeof read !== "object" || read === null || !("seen" in read) || typeof read.seen !== "number") return null;
    return { seen: read.seen, before: "before" in read && typeof read.before === "number" ? read.before : null };
  } catch {
    return null;
  }
}
