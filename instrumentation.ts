/** Called once when a server starts: creates the first workspace if configured, and starts the worker. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { boot } = await import("#lib/runtime/boot.ts");
    if (process.env.NODE_ENV === "production") await boot((await import("#app/api/routes.ts")).apiRoutes);
    // In development, Next answers, because it reloads modules that have changed. Except for files, whose length it drops.
    else
      await boot({
        "/files": () => import("#app/api/v1/files/route.ts"),
        "/files/[id]": () => import("#app/api/v1/files/[id]/route.ts"),
      });
  }
}
