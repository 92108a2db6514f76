import type { RouteHandler } from "#lib/http/route.ts";
import { answerTrigger } from "#lib/http/trigger.ts";
import { triggerPort } from "#lib/runtime/trigger-port.ts";

/** A flow's trigger URL: the method that it takes is the flow's to say. */
const answer: RouteHandler = async (request, { params }) =>
  answerTrigger(triggerPort, String((await params).id), request);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
