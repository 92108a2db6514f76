import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { oneOf, time } from "#lib/contract/query.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { executionSources } from "./executions.ts";
import { executionStatuses } from "./statuses.ts";

const idsMax = 10_000;

const id = (label: string) =>
  z.string(`${label} must be text`).refine(isStorableText, `${label} must not contain U+0000 or unpaired surrogates`);

export const deleteExecutions = endpoint({
  method: "DELETE",
  path: "/executions",
  tag: "Executions",
  summary: "Delete many executions",
  description: "Filters combine with AND; without any, nothing is deleted. Running executions are cancelled first.",
  scope: "executions:write",
  body: z
    .object({
      flowId: id("flowId").optional().describe("The flow's id"),
      status: oneOf("status", executionStatuses)
        .optional()
        .describe("Its status; as a filter, only those with this status"),
      olderThan: time("olderThan", "start").optional().describe("Executions that started before"),
      executionIds: z
        .array(id("an id"), "executionIds must be an array of ids")
        .max(idsMax, `at most ${idsMax} ids`)
        .optional()
        .describe("Ids of executions"),
    })
    .refine((filter) => Object.values(filter).some((value) => value !== undefined), {
      message: "give at least one of flowId, status, olderThan, executionIds",
    }),
  answer: z.object({
    deletedCount: z.int().describe("How many were deleted"),
    status: z.string().describe("Its status; as a filter, only those with this status"),
  }),
});

/** The maximum number of executions in one bulk operation. */
export const bulkMax = 1_000;

const durationBound = (label: string) =>
  z
    .int(`${label} must be a whole number of milliseconds`)
    .min(0, `${label} must be 0 or more`)
    .max(2 ** 31 - 1, `${label} must be below ${2 ** 31}`);

/** Not empty: in the list, that is no condition, and here it would select the runs of all flows. */
const filterText = (label: string) =>
  id(label).min(1, `${label} must not be empty`).max(1_000, `${label} must have at most 1000 characters`);

const filter = z
  .object({
    flowId: filterText("flowId").optional().describe("The flow's id"),
    status: z
      .array(oneOf("status", executionStatuses), "status must be an array of statuses")
      .max(100, "status must name at most 100")
      .optional()
      .describe("Its status; as a filter, only those with this status"),
    source: z
      .array(oneOf("source", executionSources), "source must be an array of sources")
      .max(100, "source must name at most 100")
      .optional()
      .describe("What started it: `api`, `webhook`, `schedule`, `ui`, `retry`, `sub-flow`"),
    startDate: time("startDate", "start").optional().describe("At or after this time"),
    endDate: time("endDate", "end").optional().describe("At or before this time"),
    minDuration: durationBound("minDuration").optional().describe("At least this many milliseconds"),
    maxDuration: durationBound("maxDuration").optional().describe("At most this many milliseconds"),
    search: filterText("search")
      .optional()
      .describe("Words in the error, the flow's name, the id and the metadata, in any order and any case"),
  })
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    message: "give at least one condition",
  });

const selection = z
  .object({
    executionIds: z
      .array(z.string("an id must be text"), "executionIds must be an array of ids")
      .min(1, "executionIds must name at least one")
      .max(bulkMax, `at most ${bulkMax} ids`)
      .optional()
      .describe("Ids of executions"),
    filter: filter.optional().describe("The list's filters, combined with AND"),
    dryRun: z
      .boolean("dryRun must be true or false")
      .optional()
      .default(false)
      .describe("Only report what would be done"),
  })
  .refine((given) => (given.executionIds === undefined) !== (given.filter === undefined), {
    path: ["filter"],
    message: "give either executionIds or filter",
  });

const outcome = z.object({
  matched: z.int().describe("Executions that match and can be changed this way"),
  done: z.int().describe("Executions changed; 0 in a dry run"),
  remaining: z.int().describe("Executions left for another call"),
});

const selectionHelp =
  `By ids, or by the list's filters, which combine with AND; runs that start later are not affected. At most ${bulkMax} in one call, oldest first: ` +
  "`remaining` is how many are left. With `dryRun` nothing is done, and `matched` is how many would be affected.";

const bulk = { method: "POST", tag: "Executions", body: selection, bodyRequired: true } as const;

export const bulkCancel = endpoint({
  ...bulk,
  path: "/executions/bulk-cancel",
  summary: "Cancel many executions",
  description: `Only executions that have not ended. ${selectionHelp}`,
  scope: "executions:write",
  answer: outcome,
});

export const bulkDelete = endpoint({
  ...bulk,
  path: "/executions/bulk-delete",
  summary: "Delete many executions by filter",
  description: `Running executions are cancelled first. ${selectionHelp}`,
  scope: "executions:write",
  answer: outcome,
});

export const bulkRetry = endpoint({
  ...bulk,
  path: "/executions/bulk-retry",
  summary: "Retry many executions",
  description: `Each as a new execution of its flow's current version, with the original's input; executions of deleted flows are skipped. ${selectionHelp}`,
  scope: "flows:execute",
  answer: outcome,
});

export type BulkSelection = z.output<typeof selection>;
export type BulkOutcome = z.output<typeof outcome>;
