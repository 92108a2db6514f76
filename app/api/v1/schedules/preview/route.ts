import { previewSchedule as previewScheduleEndpoint } from "#lib/contract/flows/checks.ts";
import { previewSchedule } from "#lib/flows/stored-schedule.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(previewScheduleEndpoint, ({ body }) => previewSchedule(body)),
});
