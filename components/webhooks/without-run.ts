/** What stands for the run of a delivery that is of none. */
export function withoutRun(event: string): string {
  return event.startsWith("alert.") ? "an alert" : "a test";
}
