import type { AlertKind, ShownAlertRule } from "#lib/contract/alerts.ts";
import { durationInWords } from "#lib/duration.ts";

interface AlertKindText {
  readonly label: string;
  /** What the threshold counts, and the form unit's size in API units; null for rules without one. */
  readonly threshold: { readonly label: string; readonly usual: number; readonly unit?: number } | null;
  readonly hasWindow: boolean;
}

/** The form of each kind of rule. The API validates the values. */
export const alertKinds: Readonly<Record<AlertKind, AlertKindText>> = {
  failures_in_row: {
    label: "Runs fail in a row",
    threshold: { label: "Failed runs in a row", usual: 3 },
    hasWindow: false,
  },
  failure_rate: {
    label: "Too many runs fail",
    threshold: { label: "Failed runs (%)", usual: 20 },
    hasWindow: true,
  },
  duration: {
    label: "A run takes too long",
    threshold: { label: "Longer than (seconds)", usual: 60, unit: 1_000 },
    hasWindow: false,
  },
  inactivity: { label: "Nothing runs for a while", threshold: null, hasWindow: true },
  drift: { label: "Outputs change shape", threshold: null, hasWindow: false },
  credential: { label: "A credential must be reconnected", threshold: null, hasWindow: false },
};

export const windows = [
  { value: "5", label: "5 minutes" },
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "360", label: "6 hours" },
  { value: "1440", label: "1 day" },
  { value: "10080", label: "1 week" },
];

const minutes = (value: number) =>
  windows.find((window) => window.value === String(value))?.label ?? `${value} minutes`;

/** What a rule watches for, in a sentence. */
export function ruleInWords({ kind, threshold, windowMinutes }: ShownAlertRule): string {
  if (kind === "failures_in_row") return threshold === 1 ? "A run failed" : `${threshold} runs failed in a row`;
  if (kind === "failure_rate") return `${threshold}% of runs failed within ${minutes(windowMinutes)}`;
  if (kind === "duration") return `A run took longer than ${durationInWords(threshold)}`;
  if (kind === "drift") return "An output changed shape";
  if (kind === "credential") return "A credential must be reconnected";
  return `No run for ${minutes(windowMinutes)}`;
}

/** Links to the run or runs that raised an alert. */
