"use client";

import { RelativeTime } from "#components/time/relative-time.tsx";
import { useNow } from "#components/time/use-now.ts";

const soonMs = 7 * 86_400_000;

/** When a key stops working; marked when that is near or past. */
export function ApiKeyExpiry({ expiresAt }: { readonly expiresAt: string | null }) {
  const now = useNow(60_000);
  if (expiresAt === null) return <span style={{ color: "var(--text-muted)" }}>never</span>;
  const left = Date.parse(expiresAt) - now;
  const color = left <= 0 ? "var(--status-failed)" : left < soonMs ? "var(--status-timeout)" : "var(--text-muted)";
  return (
    <span style={{ color }}>
      {left <= 0 && "expired "}
      <RelativeTime at={expiresAt} />
    </span>
  );
}
