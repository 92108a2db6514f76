import { pollNow as pollNowEndpoint } from "#lib/contract/flows/polls.ts";
import { pollNow } from "#lib/flows/polls/stored-poll.ts";
import { route } from "#lib/http/route.ts";
import { serve } from "#lib/http/serve.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  POST: route(pollNowEndpoint, ({ actor, params }) => pollNow(actor, params.id)),
});
