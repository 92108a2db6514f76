import {
  deleteFlow as deleteFlowEndpoint,
  readFlow as readFlowEndpoint,
  updateFlow as updateFlowEndpoint,
} from "#lib/contract/flows/flows.ts";
import { deleteFlow } from "#lib/flows/delete-flow.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { readFlow } from "#lib/flows/show-flow.ts";
import { updateFlow } from "#lib/flows/update-flow.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readFlowEndpoint, async ({ actor, params }) => {
    const payload = await readFlow(actor, params.id);
    return { payload, headers: { etag: etagOf(payload.version) } };
  }),
  PATCH: route(updateFlowEndpoint, async ({ actor, params, body, caller }) => {
    const { payload, version } = await updateFlow(actor, params.id, body, caller.header("if-match"));
    return { payload, headers: { etag: etagOf(version) } };
  }),
  DELETE: route(deleteFlowEndpoint, ({ actor, params, query, caller }) =>
    deleteFlow(actor, params.id, { ...query, ifMatch: caller.header("if-match") }),
  ),
});
