"use client";

import { createContext, useContext, useMemo } from "react";

/** The time zone that the workspace shows times in; null: the browser's. */
export const TimeZoneContext = createContext<string | null>(null);

/** "21 Nov 2026, 16:25:28", in a zone, or in the browser's. */
export function formatExact(at: string, zone: string | null = null): string {
  return formatOf(zone).format(new Date(at));
}

export interface ExactTime {
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
