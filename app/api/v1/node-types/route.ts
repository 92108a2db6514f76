import { listNodeTypes } from "#lib/contract/flows/node-types.ts";
import { constantAnswer } from "#lib/http/entity-tag.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { nodeManifests } from "#lib/nodes/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listNodeTypes, constantAnswer(listNodeTypes, nodeManifests)),
});
