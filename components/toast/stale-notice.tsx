"use client";
import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { notifyManager, type Query, type QueryCache, useQueryClient } from "@tanstack/react-query";
import { useCallback, useContext, useState, useSyncExternalStore } from "react";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { formatClock, TimeZoneContext } from "#components/time/relative-time.tsx";
import { ApiError } from "#lib/contract/client.ts";
import styles from "./stale-notice.module.css";

/** A clock shows no seconds after so long. */
const withoutSecondsMs = 120_000;

/**
 * Says that what the page shows is old, because it cannot be read again: since when, why, and what to do. Above the page,
 * so that nothing moves. What was never read says so in its own place.
 */
export function StaleNotice() {
  const cache = useQueryClient().getQueryCache();
  const [isTrying, setTrying] = useState(false);
  const zone = useContext(TimeZoneContext);
  const subscribe = useCallback(
    (onChange: () => void) => {
      const stop = new AbortController();
      for (const event of ["online", "offline"]) window.addEventListener(event, onChange, { signal: stop.signal });
      stop.signal.addEventListener("abort", cache.subscribe(notifyManager.batchCalls(onChange)));
      return () => stop.abort();
    },
    [cache],
  );
  // Renders when its words change, not at every event: rendering a query is one, so that a part of the page that takes
  // long to render would be interrupted, and begin again, for ever.
  const words = useSyncExternalStore(
    subscribe,
    () => wordsOf(cache),
    () => "",
  );
  if (words === "") return null;
  const { isOffline, stale } = staleIn(cache);
  const error = stale.find(({ state }) => state.error !== null)?.state.error ?? null;
  const isOut = !isOffline && error instanceof ApiError && error.code === "UNAUTHORIZED";
  const tryAgain = async () => {
    setTrying(true);
    await Promise.all(stale.map((query) => query.fetch().catch(() => {})));
    setTrying(false);
  };
  return (
    <div className={styles.notice} role="status">
      <IconCloudOff size={16} stroke={1.7} aria-hidden="true" className={styles.icon} />
      <span>
        {isOffline ? "You are offline." : `This page cannot be refreshed. ${explainFailure(error).why}`}
        {stale.length > 0 &&
          ` The data shown is from ${formatClock(oldestOf(stale), Date.now() + withoutSecondsMs, zone)}.`}
      </span>
      {stale.length > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          flex="none"
          loading={isTrying}
          onClick={isOut ? () => location.reload() : () => void tryAgain()}
        >
          {isOut ? "Sign in" : "Try again"}
        </Button>
      )}
    </div>
  );
}

/** The queries whose data is old. */
function staleIn(cache: QueryCache) {
  const isOffline = !navigator.onLine;
  const shown = cache.getAll().filter((query) => query.isActive() && query.state.data !== undefined);
  return { isOffline, stale: isOffline ? shown : shown.filter(({ state }) => state.status === "error") };
}

/** Changes with what is to be said; empty for nothing. */
function wordsOf(cache: QueryCache): string {
  const { isOffline, stale } = staleIn(cache);
  if (stale.length === 0 && !isOffline) return "";
  return JSON.stringify([isOffline, oldestOf(stale), ...stale.map(({ state }) => state.error?.message)]);
}

function oldestOf(queries: readonly Query[]): number {
  return Math.min(...queries.map(({ state }) => state.dataUpdatedAt));
}
