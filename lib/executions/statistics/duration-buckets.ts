const stepsPerDoubling = 4;
const durationMax = 2 ** 31;

/**
 * The lower bounds of the buckets in milliseconds: four per doubling, as far as whole milliseconds allow. Stored counts
 * refer to bucket numbers, so this list must not change.
 */
export const bucketStarts: readonly number[] = [
  ...new Set(Array.from({ length: 31 * stepsPerDoubling }, (_, step) => Math.ceil(2 ** (step / stepsPerDoubling)))),
];

/** A duration's bucket as SQL: 0 for 0 ms. */
export function bucketOf(durationMs: string): string {
  return `width_bucket(${durationMs}, '{${bucketStarts.join(",")}}'::int[])`;
}

/** How many runs are in each bucket. */
export type BucketCounts = ReadonlyMap<number, number>;

/**
 * The duration in milliseconds that this share of the runs does not exceed; null without runs. Accurate to 10 % and 1
 * ms: a bucket is represented by its midpoint.
 */
export function percentileOf(counts: BucketCounts, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total <= 0) return null;
  let left = Math.ceil(total * share);
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}

function middleOf(bucket: number): number {
  if (bucket === 0) return 0;
  const from = bucketStarts[bucket - 1] ?? durationMax;
  const to = (bucketStarts[bucket] ?? durationMax) - 1;
  return Math.round(Math.sqrt(from * to));
}
