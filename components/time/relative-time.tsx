"use client";
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { formatDuration } from "./duration.ts";

/** The time zone that the workspace shows times in; null: the browser's. */
export const TimeZoneContext = createContext<string | null>(null);

/**
 * When the server rendered the page; null once the page is interactive. Until then, browser and server must tell times
 * alike: as they were at that time, and in UTC where the browser's zone is meant.
 */
export const RenderedAtContext = createContext<number | null>(null);

/**
 * False on the server and while the browser takes over its markup. Parts whose code is loaded later wait for it: the data
 * they show may have changed by the time they would be taken over, and React would render them again.
 */
export function useIsHydrated(): boolean {
  return useContext(RenderedAtContext) === null;
}

/** "21 Nov 2026, 16:25:28", in a zone, or in the browser's. */
export function formatExact(at: string, zone: string | null = null): string {
  return formatOf(zone).format(new Date(at));
}

interface ExactTime {
  readonly format: (at: string) => string;
  /** The same with its zone, and in UTC: "21 Nov 2026, 16:25:28 (Europe/Berlin)", "21 Nov 2026, 15:25:28 UTC". */
  readonly explain: (at: string) => string;
}

/** Times as this workspace shows them. */
export function useExactTime(): ExactTime {
  const zone = useContext(TimeZoneContext);
  return useMemo(() => {
    const name = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const utc = (at: string) => `${formatExact(at, "UTC")} UTC`;
    const explain = (at: string) => (name === "UTC" ? utc(at) : `${formatExact(at, zone)} (${name})\n${utc(at)}`);
    return { format: (at) => formatExact(at, zone), explain };
  }, [zone]);
}

const formats = new Map<string | null, Intl.DateTimeFormat>();

function formatOf(zone: string | null): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "medium",
    ...(zone !== null && { timeZone: zone }),
  });
  formats.set(zone, made);
  return made;
}

const steps = [
  { unit: "day", seconds: 86_400 },
  { unit: "hour", seconds: 3_600 },
  { unit: "minute", seconds: 60 },
] as const;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

function formatRelative(at: number, now: number, format: (at: string) => string): string {
  const seconds = Math.round((at - now) / 1_000);
  // The date of the exact time: in the zone that the workspace shows times in.
  if (Math.abs(seconds) >= 30 * 86_400) return format(new Date(at).toISOString()).split(",", 1)[0] ?? "";
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (step === undefined) return "just now";
  // Without the period of "min.", because a sentence may end with it.
  return relative.format(Math.trunc(seconds / step.seconds), step.unit).replaceAll(".", "");
}

/** A relative time; hover shows the exact time, also in UTC. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow(15_000);
  const exact = useExactTime();
  return (
    <time dateTime={at} title={exact.explain(at)} suppressHydrationWarning style={{ whiteSpace: "nowrap" }}>
      {formatRelative(Date.parse(at), now, exact.format)}
    </time>
  );
}

/** "14:20"; with seconds within two minutes of `now`, with the date on another day. Both in Unix milliseconds. */
export function formatClock(at: number, now: number, zone: string | null): string {
  const format = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { ...options, ...(zone !== null && { timeZone: zone }) }).format(time);
  const date = { day: "numeric", month: "short" } as const;
  const isSameDay = format(at, date) === format(now, date);
  return format(at, {
    ...(!isSameDay && date),
    hour: "2-digit",
    minute: "2-digit",
    ...(Math.abs(at - now) < 120_000 && { second: "2-digit" }),
  });
}

/** " until 14:20"; nothing before the page is interactive, because only the browser knows its zone. */
export function WaitingUntil({ at }: { readonly at: string }) {
  const now = useNow(60_000);
  const zone = useContext(TimeZoneContext);
  const exact = useExactTime();
  if (!useIsHydrated()) return null;
  return <time dateTime={at} title={exact.explain(at)}>{` until ${formatClock(Date.parse(at), now, zone)}`}</time>;
}

interface RunningDurationProps {
  readonly startedAt: string;
  readonly durationMs: number | null;
  readonly live: boolean;
}

/** The duration, or the time elapsed so far. */
export function RunningDuration({ startedAt, durationMs, live }: RunningDurationProps) {
  if (durationMs !== null) return <span className="mono">{formatDuration(durationMs)}</span>;
  return live ? <Ticking since={Date.parse(startedAt)} /> : <span aria-hidden="true">–</span>;
}

function Ticking({ since }: { readonly since: number }) {
  const now = useNow(200);
  return <span className="mono">{formatDuration(Math.max(0, now - since))}</span>;
}

/** The time, updated every `everyMs` milliseconds. */
export function useNow(everyMs: number): number {
  const renderedAt = useContext(RenderedAtContext);
  const [now, setNow] = useState(() => renderedAt ?? Date.now());
  useEffect(() => {
    const update = () => setNow(Date.now());
    if (renderedAt !== null) update();
    const timer = setInterval(update, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, renderedAt]);
  return now;
}
