import { z } from "zod";
import { headerRefusal } from "#lib/engine/answer-headers.ts";
import { formatPath, isJsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { anyField, mapNamesMax, textMapField } from "./config-fields.ts";
import { defineNode } from "./define.ts";

/** The maximum number of headers named in a warning, or in advice. */
const listedMax = 20;

/** Sets the answer to the trigger URL's caller. Output: the body, which is also the run's output. */
export const respond = defineNode({
  type: "respond",
  name: "Respond",
  keywords: ["response", "reply", "return", "answer"],
  family: "output",
  icon: "arrow-back-up",
  iconPath: "M9 14l-4 -4l4 -4M5 10h11a4 4 0 1 1 0 8h-1",
  summary: ["{status:text|200}[ · {body:text}]"],
  description: `Sets the response of the trigger URL: status, headers and body. The caller gets it when the run ends.

Example: \`{"status": 422, "body": {"error": "The order has no items"}}\`.`,
  effect: "none",
  answers: true,
  handles: plainHandle,
  config: z.object({
    status: z
      .int("must be a whole number")
      .min(200, "must be from 200 to 599")
      .max(599, "must be from 200 to 599")
      .optional()
      .default(200)
      .meta({ title: "Status", description: "The HTTP status, from 200 to 599." }),
    headers: textMapField({
      title: "Headers",
      description:
        "Headers by name: those that describe the body, caching, Retry-After, Location with a 3xx status, and names that begin with X-. Others are not sent.",
    }),
    body: anyField({
      title: "Body",
      description:
        "Any value, sent as JSON. Text is sent as it is if Headers set a Content-Type other than JSON. Default: the input.",
    }),
  }),
  example: { status: 422, body: { error: "The order has no items" } },
  advice: ({ headers, status = 200 }) => {
    if (!isJsonObject(headers)) return [];
    const few = Object.entries(headers).slice(0, mapNamesMax);
    const allowed = few.flatMap(([name, value]) => {
      const problem = headerRefusal(name, String(value), typeof status === "number" ? status : null);
      if (problem === null) return [];
      const message = `${problem}: the response is sent without it`;
      return [{ code: "REFUSED_HEADER" as const, path: formatPath(["headers", name]), message }];
    });
    return allowed.slice(0, listedMax);
  },
  run: ({ status, headers = {}, body }, context) => {
    const refused = Object.entries(headers).flatMap(([name, value]) => {
      const problem = headerRefusal(name, value, status);
      return problem === null ? [] : [`${name} ${problem}`];
    });
    if (refused.length > 0)
      context.log("warning", `Headers that are not sent: ${refused.slice(0, listedMax).join("; ")}`);
    return { output: body === undefined ? context.input() : body, answer: { status, headers } };
  },
});
