"use client";
import { Badge, Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi, useChange } from "#components/api/use-api.ts";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import styles from "#components/settings/settings-section.module.css";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownSession } from "#lib/contract/accounts/account.ts";

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/curl\//, "curl"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

/** "Firefox on Linux", guessed from the `User-Agent`. */
export function browserInWords(userAgent: string | null): string {
  const find = (known: typeof browsers) => known.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser = "Unknown browser", system] = [find(browsers), find(systems)];
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** The account's sessions, each with a button to end it. */
export function SessionList() {
  const api = useApi();
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: ({ signal }) => api.call("listSessions", { signal }) });
  const endOthers = useChange({
    run: (api) => api.call("endOtherSessions"),
    stale: ["sessions"],
    done: ({ ended }) => `${ended} ${ended === 1 ? "session" : "sessions"} ended.`,
    failed: "The sessions were not ended.",
  });
  if (sessions.data === undefined) {
    if (!sessions.isError) return <Skeleton height={104} role="status" aria-label="Loading" />;
    const retry = () => void sessions.refetch();
    return <FailureNotice title="Your sessions could not be loaded" error={sessions.error} onRetry={retry} />;
  }
  return (
    <>
      <ul className={styles.list}>
        {sessions.data.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
      {sessions.data.length > 1 && (
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
          End all other sessions
        </Button>
      )}
    </>
  );
}

function SessionItem({ session }: { readonly session: ShownSession }) {
  const end = useChange({
    run: (api, id: string) => api.call("endSession", { params: { id } }),
    stale: ["sessions"],
    done: "Session ended.",
    failed: "The session was not ended.",
  });
  const browser = browserInWords(session.userAgent);
  return (
    <li className={styles.item}>
      <span>
        {browser}{" "}
        {session.current && (
          <Badge variant="light" tt="none">
            this session
          </Badge>
        )}
        <br />
        <span className={styles.muted}>
          {session.ip ?? "unknown address"} · last used <RelativeTime at={session.lastSeenAt} />
        </span>
      </span>
      {!session.current && (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={end.isPending}
          aria-label={`End session: ${browser}`}
          onClick={() => end.mutate(session.id)}
        >
          End
        </Button>
      )}
    </li>
  );
}
