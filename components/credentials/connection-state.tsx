"use client";

import { RelativeTime } from "#components/time/relative-time.tsx";
import styles from "./connection-state.module.css";
import type { ShownCredential } from "./credential-kinds.ts";

const statusWords = {
  "not-connected": "Not connected",
  connected: "Connected",
  "needs-reconnect": "Needs reconnecting",
} as const;

interface ConnectionStateProps {
  readonly credential: ShownCredential;
  readonly label: string;
}

/** The type of an OAuth2 credential, and the state of its connection. */
export default function ConnectionState({ credential: { connection }, label }: ConnectionStateProps) {
  if (connection === undefined) return label;
  const { grant, status, scopes, endsAt, problem } = connection;
  // Fetched on first use; needs no action.
  const isWaiting = grant === "client_credentials" && status === "not-connected";
  const words = isWaiting ? "Connects at first use" : statusWords[status];
  const granted = status === "connected" && scopes.length > 0 ? `: ${scopes.join(" ")}` : "";
  return (
    <>
      {label}
      <span className={styles.state} data-trouble={status === "needs-reconnect" || undefined}>
        {words}
        {granted}
      </span>
      {status === "connected" && endsAt !== null && (
        <span className={styles.state}>
          Access ends <RelativeTime at={endsAt} />
        </span>
      )}
      {problem !== null && <span className={styles.state}>Last error: {problem}</span>}
    </>
  );
}
