const count = new Intl.NumberFormat("en");

/** How many of the failed runs completed as a retry: "2 completed when retried". */
export function recoveredWords(recovered: number, failed: number): string {
  const which = recovered < failed ? count.format(recovered) : failed === 1 ? "it" : "all";
  return `${which} completed when retried`;
}
