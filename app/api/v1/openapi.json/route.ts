import { jsonAnswer } from "#lib/http/envelope.ts";
import { openApiDocument } from "#lib/http/openapi/document.ts";
import { serve } from "#lib/http/serve.ts";

/** The API's description; public, because it contains no user data. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async () => jsonAnswer(200, openApiDocument()),
});
