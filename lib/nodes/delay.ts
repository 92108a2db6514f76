import { z } from "zod";
import { plainHandle } from "#lib/engine/node-types.ts";
import { isDay } from "#lib/engine/wait-form.ts";
import { durationMeta } from "./config-fields.ts";
import { defineNode, NodeFailure } from "./define.ts";

/** The longest wait: a year. */
export const waitMsMax = 366 * 24 * 3_600_000;

const isoTime = z.union([
  z
    .string("must be a time")
    .refine((text) => !Number.isNaN(timeOf(text)), "must be a time such as 2026-01-31T10:00:00Z"),
  z.number("must be a time"),
]);

const withoutZone = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/**
 * In UTC if it has no zone, as all times of the API are: `Date.parse` would take it for the server's. NaN for a day that
 * does not exist, which `Date.parse` would move to the next month.
 */
function timeOf(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  if (day !== undefined && !isDay(day)) return Number.NaN;
  return Date.parse(withoutZone.test(text) ? `${text.replace(" ", "T")}Z` : text);
}

/** Waits for a duration or until a time. Outputs its input, so that adding it never changes a flow's answer. */
export const delay = defineNode({
  type: "delay",
  name: "Delay",
  keywords: ["sleep", "pause", "timer"],
  family: "logic",
  icon: "hourglass",
  iconPath:
    "M6.5 7h11M6.5 17h11M6 20v-2a6 6 0 1 1 12 0v2a1 1 0 0 1 -1 1h-10a1 1 0 0 1 -1 -1M6 4v2a6 6 0 1 0 12 0v-2a1 1 0 0 0 -1 -1h-10a1 1 0 0 0 -1 1",
  summary: ["for {ms:duration}", "until {until}"],
  description: `Waits for a duration or until a time, then passes its input on: \`ms\` milliseconds, or \`until\`. A time in the past does
not wait. Up to a year; while it waits, the run survives restarts, uses no resources, and its time limit is paused.

Example: \`{"ms": 3600000}\` continues an hour later; \`{"until": "{{ $trigger.body.sendAt }}"}\` at a given time, in UTC unless it has a zone.`,
  effect: "wait",
  waitsFor: "time",
  collects: true,
  handles: plainHandle,
  config: z.object({
    ms: z
      .number("must be a number of milliseconds")
      .min(0, "must not be negative")
      .max(waitMsMax, `must be at most ${waitMsMax} (a year)`)
      .optional()
      .meta(durationMeta({ title: "Duration", description: "How long to wait, in milliseconds: up to a year." })),
    until: isoTime.optional().meta({
      title: "Until",
      format: "date-time",
      description:
        "The time to continue at: ISO 8601, in UTC unless it has a zone, or epoch milliseconds. Used when no milliseconds are given.",
    }),
  }),
  example: { ms: 3_600_000 },
  problem: ({ ms, until }) => {
    return ms == null && until == null ? { path: "ms", message: "is required, unless until is given" } : null;
  },
  run: ({ ms, until }, context) => {
    const now = context.now();
    const time = typeof until === "string" ? timeOf(until) : new Date(until ?? now).getTime();
    const at = ms === undefined ? time : now + ms;
    if (!(at - now <= waitMsMax)) {
      throw new NodeFailure("INVALID_CONFIG", "until: must be within a year", { field: "until" });
    }
    if (at <= now) return { output: context.input() };
    return { wait: { kind: "time", until: at, state: { output: context.input() } } };
  },
  resume: async (_request, _wake, context) => ({ output: await context.input() }),
});
