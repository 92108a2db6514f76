import { flowTextSchema } from "#lib/flow-text/flow-text-schema.ts";
import { jsonAnswer } from "#lib/http/envelope.ts";
import { serve } from "#lib/http/serve.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";

/** The schema of flows as text; public, because editors read it and it contains no user data. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: async () => jsonAnswer(200, flowTextSchema(nodeManifests())),
});
