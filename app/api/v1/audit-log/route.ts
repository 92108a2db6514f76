import { listAuditLog } from "#lib/audit/audit-log.ts";
import { listAuditLog as listAuditLogEndpoint } from "#lib/contract/accounts/audit-log.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(listAuditLogEndpoint, ({ actor, query }) => listAuditLog(actor, query)),
});
