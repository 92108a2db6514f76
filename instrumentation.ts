/** Called once when a server starts: creates the first workspace if configured, and starts the worker. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") await (await import("#lib/runtime/boot.ts")).boot();
}
