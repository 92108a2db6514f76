import { listAlerts } from "#lib/alerts/alerts.ts";
import { listAlerts as listAlertsEndpoint } from "#lib/contract/alerts.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listAlertsEndpoint, ({ actor, query }) => listAlerts(actor, query)),
});
