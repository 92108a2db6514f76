import { exportFlow as exportFlowEndpoint } from "#lib/contract/flows/flow-copies.ts";
import { exportAsText, exportFileName, exportFlow, exportWithExecutions } from "#lib/flows/export-flow.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: route(exportFlowEndpoint, async ({ actor, params, query }) => {
    const payload = await exportFlow(actor, params.id, query);
    const disposition = `attachment; filename="${exportFileName(payload.flow.name, query.format)}"`;
    const headers = { "content-disposition": disposition };
    if (query.format === "yaml") {
      const type = { "content-type": "application/yaml; charset=utf-8" };
      return { chunks: exportAsText(payload), headers: { ...headers, ...type } };
    }
    if (!query.includeExecutions) return { payload, headers };
    return { chunks: exportWithExecutions(actor, params.id, payload), headers };
  }),
});
