import { hasFirstWorkspace } from "#lib/auth/first-workspace.ts";
import { jsonAnswer } from "#lib/http/envelope.ts";
import { serve } from "#lib/http/serve.ts";
import { statementsFail } from "#lib/platform/database/statement-health.ts";
import { query } from "#lib/platform/database.ts";

/**
 * 200 while requests can be served, `degraded` when statements keep failing although the database answers; 503 while the
 * database is unreachable or the first workspace is being created.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  {
    GET: async () => {
      const isReachable = await query("health", "SELECT 1", []).then(
        () => true,
        () => false,
      );
      if (!isReachable)
        return jsonAnswer(503, { status: "unavailable", database: "unreachable" }, { "retry-after": "5" });
      const database = statementsFail() ? "failing" : "ok";
      if (!hasFirstWorkspace()) return jsonAnswer(503, { status: "starting", database }, { "retry-after": "1" });
      return jsonAnswer(200, { status: database === "ok" ? "ok" : "degraded", database });
    },
  },
  "both",
);
