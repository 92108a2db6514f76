/** Which of a node's tabs is open: the chosen one while it is there, and the error before the output. */
export function shownTab(chosen: string | null, hasError: boolean): string {
  if (chosen === null || (chosen === "error" && !hasError)) return hasError ? "error" : "output";
  return chosen;
}
