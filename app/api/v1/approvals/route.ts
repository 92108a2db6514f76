import { listApprovals as listApprovalsEndpoint } from "#lib/contract/executions/waits.ts";
import { listApprovals } from "#lib/executions/waiting/list-waits.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listApprovalsEndpoint, ({ actor }) => listApprovals(actor)),
});
