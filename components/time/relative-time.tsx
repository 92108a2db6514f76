"use client";

import { useExactTime } from "./exact-time.ts";
import { useNow } from "./use-now.ts";

const steps = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export function formatRelative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1_000);
  if (Math.abs(seconds) >= 30 * 86_400) return day.format(at);
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (step === undefined) return "just now";
  // Without the stop of "min.": a sentence that ends with it has one of its own.
  return relative.format(Math.trunc(seconds / step.seconds), step.unit).replaceAll(".", "");
}

/** When it was, as people say it; the exact time on hover, in UTC too. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow(15_000);
  const exact = useExactTime();
  return (
    <time dateTime={at} title={exact.explain(at)} style={{ whiteSpace: "nowrap" }}>
      {formatRelative(Date.parse(at), now)}
    </time>
  );
}
