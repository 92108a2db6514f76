// The HTTP protocol between Inngest and an app's functions, as the SDK implements it.
import { z } from "zod";

export interface InngestEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly ts: number;
}

/** A function as the app registers it. */
export const functionConfig = z.object({
  id: z.string(),
  name: z.string(),
  triggers: z.array(
    z.object({ event: z.string().optional(), expression: z.string().optional(), cron: z.string().optional() }),
  ),
  steps: z.object({
    step: z.object({
      runtime: z.object({ url: z.string() }),
      retries: z.object({ attempts: z.number() }).optional(),
    }),
  }),
  concurrency: z.unknown().optional(),
  cancel: z.array(z.object({ event: z.string(), if: z.string().optional() })).optional(),
});
export type FunctionConfig = z.infer<typeof functionConfig>;

export const registration = z.object({
  url: z.string(),
  appName: z.string(),
  sdk: z.string(),
  functions: z.array(functionConfig),
});

/** One thing that a function discovered or did, in an answer or a checkpoint. */
export const operation = z.object({
  id: z.string(),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
  opts: z.object({ if: z.string(), timeout: z.string(), parallelMode: z.string() }).partial().nullish(),
});
export type Operation = z.infer<typeof operation>;

export const checkpoint = z.object({ qi_id: z.string(), steps: z.array(operation) });

const units: Readonly<Record<string, number>> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** Milliseconds of `1d2h3m4s`; or until an ISO 8601 time. */
export function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+)([wdhms])/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join("") === text) {
    return parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0), 0);
  }
  return Date.parse(text) - Date.now();
}

/** Canonical JSON for signing: sorted names, no whitespace. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
