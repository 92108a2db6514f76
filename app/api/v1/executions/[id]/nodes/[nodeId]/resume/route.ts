import { resumeNode as resumeNodeEndpoint } from "#lib/contract/executions/waits.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { resumeNode } from "#lib/runtime/drive/resume.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(resumeNodeEndpoint, ({ actor, params, query, body }) =>
    resumeNode(actor, params.id, params.nodeId, query.iteration ?? null, body),
  ),
});
