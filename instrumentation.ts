/** Called once when a server starts: makes the first workspace if asked to, and starts the worker. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") await (await import("#lib/runtime/boot.ts")).boot();
}
