const stepsPerDoubling = 4;
const durationMax = 2 ** 31;

/**
 * Where the buckets begin, in milliseconds: four to a doubling, as far as whole milliseconds can tell them apart.
 * Stored counts are by a bucket's number, so this list never changes.
 */
export const bucketStarts: readonly number[] = [
  ...new Set(Array.from({ length: 31 * stepsPerDoubling }, (_, step) => Math.ceil(2 ** (step / stepsPerDoubling)))),
];

/** A duration's bucket as SQL: 0 for 0 ms. */
export function bucketOf(durationMs: string): string {
  return `width_bucket(${durationMs}, '{${bucketStarts.join(",")}}'::int[])`;
}

/** How many runs lie in which bucket. */
export type BucketCounts = ReadonlyMap<number, number>;

/**
 * The duration that this share of the runs does not pass, in milliseconds; null without runs. True to within 10 % and
 * 1 ms: a bucket is told by the middle of its bounds.
 */
export function percentileOf(counts: BucketCounts, share: number): number | null {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total <= 0) return null;
  let left = Math.ceil(total * share);
  for (const [bucket, count] of [...counts].sort(([one], [other]) => one - other)) {
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
