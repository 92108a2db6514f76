/** Called once when a server starts: creates the first workspace if configured, and starts the worker. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { boot } = await import("#lib/runtime/boot.ts");
    // In development, only Next loads files again that have changed.
    if (process.env.NODE_ENV === "production") await boot((await import("#app/api/routes.ts")).apiRoutes);
    else await boot({});
  }
}
