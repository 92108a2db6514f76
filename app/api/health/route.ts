import { jsonAnswer } from "#lib/http/envelope.ts";
import { serve } from "#lib/http/serve.ts";
import { query } from "#lib/platform/database.ts";

/** 200 while requests can be served; 503 while the database cannot be reached. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async () => {
    const database = await query("health", "SELECT 1", []).then(
      () => "ok",
      () => "unreachable",
    );
    const isOk = database === "ok";
    const retry: Record<string, string> = isOk ? {} : { "retry-after": "5" };
    return jsonAnswer(isOk ? 200 : 503, { status: isOk ? "ok" : "unavailable", database }, retry);
  },
});
