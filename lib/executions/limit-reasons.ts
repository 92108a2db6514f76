/** Why a run was ended by `settings.concurrency`: its recorded reason, and the message to its caller. */
export const replacedReason = 'A newer run took its place: the flow\'s concurrency policy is "cancel-previous"';

export const stuckReason =
  "It would never have begun: all the runs that its flow's concurrency limit allows at once wait for it, or for others like it, to end";

const skippedBeginning = "Skipped: ";

/** `limit`: how many runs may be in progress at once. */
export function skippedReason(limit: number): string {
  const runs = limit === 1 ? "1 run of the flow was" : `${limit} runs of the flow were`;
  return `${skippedBeginning}${runs} in progress, and its concurrency policy is "skip"`;
}

/** Whether the flow's limit cancelled the run, rather than a person. */
export function isLimitReason(reason: string | null): reason is string {
  return reason !== null && (reason === replacedReason || reason.startsWith(skippedBeginning));
}
