import { z } from "zod";
import { isStorableText } from "#lib/engine/flow.ts";
import { endpoint } from "./endpoint.ts";
import { executionStatuses } from "./executions.ts";
import { oneOf, time } from "./query.ts";

const idsMax = 10_000;

const id = (what: string) =>
  z.string(`${what} must be text`).refine(isStorableText, `${what} must not contain U+0000 or unpaired surrogates`);

export const deleteExecutions = endpoint({
  method: "DELETE",
  path: "/executions",
  tag: "Executions",
  summary: "Delete many executions",
  description: "Filters combine with AND; without any, nothing is deleted. What is running is cancelled first.",
  scope: "executions:write",
  body: z
    .object({
      flowId: id("flowId").optional(),
      status: oneOf("status", executionStatuses).optional(),
      olderThan: time("olderThan", "start").optional(),
      executionIds: z
        .array(id("an id"), "executionIds must be an array of ids")
        .max(idsMax, `at most ${idsMax} ids`)
        .optional(),
    })
    .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
      message: "give at least one of flowId, status, olderThan, executionIds",
    }),
  shape: "data",
  status: 200,
  answer: z.object({ deletedCount: z.int(), status: z.string() }),
});
