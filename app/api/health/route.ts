import { jsonAnswer } from "#lib/http/envelope.ts";
import { serve } from "#lib/http/serve.ts";
import { query } from "#lib/platform/database.ts";
import { hasFirstWorkspace } from "#lib/workspaces/set-up-workspace.ts";

/** 200 while requests can be served; 503 while the database cannot be reached, or the first workspace is being made. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async () => {
    const isReachable = await query("health", "SELECT 1", []).then(
      () => true,
      () => false,
    );
    const database = isReachable ? "ok" : "unreachable";
    if (isReachable && hasFirstWorkspace()) return jsonAnswer(200, { status: "ok", database });
    const status = isReachable ? "starting" : "unavailable";
    return jsonAnswer(503, { status, database }, { "retry-after": isReachable ? "1" : "5" });
  },
});
