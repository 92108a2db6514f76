/** Called once when a server starts: creates the first workspace if configured, and starts the worker. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const [{ boot }, { apiRoutes }] = await Promise.all([import("#lib/runtime/boot.ts"), import("#app/api/routes.ts")]);
  // In development, only Next loads files again that have changed.
  await boot(process.env.NODE_ENV === "production" ? apiRoutes : {});
}
