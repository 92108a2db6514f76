/** Writes one line of JSON to the server's own log. Never pass it secrets or users' data. */
export function logLine(
  level: "info" | "warning" | "error",
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const line = JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
  (level === "error" ? process.stderr : process.stdout).write(`${line}\n`);
}

/** The parts of an error that are logged. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const { name, message, stack, cause } = error;
  return { error: name, reason: message, stack, ...(cause instanceof Error ? { cause: cause.message } : {}) };
}
