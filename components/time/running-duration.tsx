"use client";

import { formatDuration } from "./duration.ts";
import { useNow } from "./use-now.ts";

interface RunningDurationProps {
  readonly startedAt: string;
  readonly durationMs: number | null;
  readonly live: boolean;
}

/** How long it took, or takes so far. */
export function RunningDuration({ startedAt, durationMs, live }: RunningDurationProps) {
  if (durationMs !== null) return <span className="mono">{formatDuration(durationMs)}</span>;
  return live ? <Ticking since={Date.parse(startedAt)} /> : <span aria-hidden="true">–</span>;
}

function Ticking({ since }: { readonly since: number }) {
  const now = useNow(200);
  return <span className="mono">{formatDuration(Math.max(0, now - since))}</span>;
}
