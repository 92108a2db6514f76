/** Minutes for which a run is a function's that gives no sign of life: Inngest may take a while to come back. */
export const leaseMinutes = 3;

/** What a run's lease says of who holds it: a run of an Inngest function. */
export function ownerOf(functionRunId: string): string {
  return `inngest:${functionRunId}`;
}
