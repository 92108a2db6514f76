import { readUsage as readUsageEndpoint } from "#lib/contract/accounts/workspaces.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";
import { readUsage } from "#lib/workspaces/workspaces.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(readUsageEndpoint, ({ actor }) => readUsage(actor)),
});
