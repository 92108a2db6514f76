import { z } from "zod";
import { plainHandle } from "#lib/engine/handles.ts";
import { anyField, textMapField } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** Says how the caller of the trigger URL is answered. Output: the body, which is the run's output too. */
export const respond = defineNode({
  type: "respond",
  name: "Respond",
  family: "output",
  icon: "arrow-back-up",
  description: `Sets the answer of the trigger URL: status, headers and body. The caller gets it when the run ends.

Example: \`{"status": 422, "body": {"error": "The order has no items"}}\`.`,
  effect: "none",
  handles: plainHandle,
  config: z.object({
    status: z
      .int("must be a whole number")
      .min(200, "must be from 200 to 599")
      .max(599, "must be from 200 to 599")
      .optional()
      .default(200)
      .meta({ title: "Status", description: "The HTTP status, from 200 to 599." }),
    headers: textMapField({ title: "Headers", description: "Names to values. Cookies cannot be set." }),
    body: anyField({ title: "Body", description: "Any value; text goes as it is. Default: the input." }),
  }),
  example: { status: 422, body: { error: "The order has no items" } },
  run: ({ status, headers, body }, context) => ({
    output: body === undefined ? context.input : body,
    answer: { status, headers: headers ?? {} },
  }),
});
