import {
  deleteSubscription as deleteSubscriptionEndpoint,
  readSubscription as readSubscriptionEndpoint,
  updateSubscription as updateSubscriptionEndpoint,
} from "#lib/contract/webhooks.ts";
import { type RouteHandler, route } from "#lib/http/route.ts";
import { atRightHost, serve } from "#lib/http/serve.ts";
import { answerTriggerRequest } from "#lib/http/trigger/trigger.ts";
import { idPrefixes } from "#lib/platform/ids.ts";
import { outsideWorld } from "#lib/runtime/drive/outside-world.ts";
import { triggerPort } from "#lib/runtime/start/trigger-port.ts";
import { deleteSubscription, readSubscription, updateSubscription } from "#lib/webhooks/subscriptions.ts";

const subscription = serve({
  GET: route(readSubscriptionEndpoint, ({ actor, params }) => readSubscription(actor, params.id)),
  PATCH: route(updateSubscriptionEndpoint, ({ actor, params, body }) =>
    updateSubscription(actor, params.id, body, outsideWorld().outbound),
  ),
  DELETE: route(deleteSubscriptionEndpoint, ({ actor, params }) => deleteSubscription(actor, params.id)),
});

const trigger = atRightHost(
  async (request: Request, id: string) => answerTriggerRequest(triggerPort, id, request),
  "trigger",
);

/** Subscriptions and trigger URLs share this path; the id's prefix tells them apart. */
const answer = (method: keyof typeof subscription): RouteHandler => {
  return async (request, { params }) => {
    const id = String((await params).id);
    return id.startsWith(`${idPrefixes.subscription}_`)
      ? subscription[method](request, { params })
      : trigger(request, id);
  };
};

export const GET = answer("GET");
export const HEAD = answer("HEAD");
export const POST = answer("POST");
export const PUT = answer("PUT");
export const PATCH = answer("PATCH");
export const DELETE = answer("DELETE");
export const OPTIONS = answer("OPTIONS");
