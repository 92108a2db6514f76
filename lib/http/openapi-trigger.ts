import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { envelopeOfError } from "./openapi-errors.ts";

/** Trigger URLs: what they take and answer is the flow's, so that no endpoint of the contract describes them. */
export const triggerPath: ZodOpenApiPathsObject = {
  "/webhooks/{hookId}": {
    summary: "A flow's trigger URL",
    description:
      "Generated with the flow (`trigger.config.url`); takes the method that the trigger is set to, and no API key.",
    post: {
      operationId: "callTrigger",
      tags: ["Trigger URLs"],
      summary: "Start a flow with data of one's own",
      security: [],
      requestParams: { path: z.object({ hookId: z.string() }) },
      requestBody: { required: false, content: { "application/json": { schema: z.unknown() } } },
      responses: {
        200: { description: "The flow's output", content: { "application/json": { schema: z.unknown() } } },
        202: {
          description: "The run goes on in the background",
          content: {
            "application/json": { schema: z.object({ executionId: z.string(), status: z.literal("running") }) },
          },
        },
        400: { description: "The body is not valid, or the flow is inactive" },
        401: { description: "The trigger's own authentication failed" },
        404: { description: "No such trigger" },
        500: { description: "The flow failed", content: { "application/json": { schema: envelopeOfError } } },
      },
    },
  },
};
