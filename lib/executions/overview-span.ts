import type { OverviewBucket } from "#lib/contract/execution-overview.ts";
import { AppError } from "#lib/errors.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const spanMsMax = 366 * dayMs;
const hourlyMsMax = 14 * dayMs;

export interface OverviewSpan {
  readonly from: Date;
  /** The span's last moment. */
  readonly to: Date;
  /** Where the span of the same length before it begins. */
  readonly previousFrom: Date;
  readonly bucket: OverviewBucket;
}

interface Wish {
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
  readonly bucket?: OverviewBucket | undefined;
}

/** The span that an overview is of. Throws VALIDATION_ERROR for one that is empty or longer than a year. */
export function overviewSpan({ startDate, endDate, bucket }: Wish, now: Date): OverviewSpan {
  const to = endDate ?? now;
  const from = startDate ?? new Date(to.getTime() - dayMs);
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs <= 0) throw refuse("startDate", "startDate must be before endDate");
  if (lengthMs > spanMsMax) throw refuse("startDate", "the span must not be longer than 366 days");
  const byLength = lengthMs <= 2 * dayMs ? "hour" : "day";
  return {
    from,
    to,
    previousFrom: new Date(from.getTime() - lengthMs),
    bucket: lengthMs > hourlyMsMax ? "day" : (bucket ?? byLength),
  };
}

/** The beginnings of a span's hours or days, the first of them at or before its start. */
export function bucketStarts({ from, to, bucket }: OverviewSpan): Date[] {
  const stepMs = bucket === "hour" ? hourMs : dayMs;
  const first = Math.floor(from.getTime() / stepMs) * stepMs;
  const count = Math.floor((to.getTime() - first) / stepMs) + 1;
  return Array.from({ length: count }, (_, index) => new Date(first + index * stepMs));
}

function refuse(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The query is not valid", { details: { [field]: message } });
}
