import {
  nameFlowVersion as nameFlowVersionEndpoint,
  readFlowVersion as readFlowVersionEndpoint,
} from "#lib/contract/flows/flow-versions.ts";
import { nameFlowVersion, readFlowVersion } from "#lib/flows/flow-versions.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readFlowVersionEndpoint, ({ actor, params }) => readFlowVersion(actor, params.id, params.version)),
  PATCH: route(nameFlowVersionEndpoint, ({ actor, params, body }) =>
    nameFlowVersion(actor, params.id, params.version, body.name),
  ),
});
