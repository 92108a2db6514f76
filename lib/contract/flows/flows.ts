import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { executionError } from "#lib/contract/executions/executions.ts";
import { executionStatuses, nodeStatuses } from "#lib/contract/executions/statuses.ts";
import { flag, oneOf, order, paging, searchText } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import {
  flowDescription,
  flowEdges,
  flowName,
  flowNodes,
  flowSettings,
  flowStatus,
  flowStatuses,
  flowTags,
  flowTrigger,
  flowVariables,
  jsonObject,
} from "#lib/engine/flow.ts";
import { type FlowTests, testsOfFlow } from "./flow-test-document.ts";
import { createdFlow, flow, flowListItem, shownObject } from "./shown-flow.ts";

export const newFlow = z.object({
  name: flowName.describe("Its name"),
  description: flowDescription.nullish().describe("What it is for"),
  status: flowStatus
    .optional()
    .default("draft")
    .describe("`active`: every part must be valid; `inactive`: its trigger URL refuses calls; `draft`"),
  tags: flowTags.optional().default([]).describe("Labels to find it by"),
  variables: flowVariables.optional().default({}).describe("Values that its expressions read as `$vars`"),
  trigger: flowTrigger.describe("What starts it"),
  nodes: flowNodes.describe("Its nodes"),
  edges: flowEdges.optional().default([]).describe("How nodes follow one another"),
  settings: flowSettings.nullish().describe("Limits of its runs, and canvas settings"),
});

export const flowChanges = z.object({
  name: flowName.optional().describe("Its name"),
  description: flowDescription.nullish().describe("What it is for"),
  status: flowStatus
    .optional()
    .describe("`active`: every part must be valid; `inactive`: its trigger URL refuses calls; `draft`"),
  tags: flowTags.optional().describe("Labels to find it by"),
  variables: flowVariables.optional().describe("Values that its expressions read as `$vars`"),
  trigger: flowTrigger.optional().describe("What starts it"),
  nodes: flowNodes.optional().describe("Its nodes"),
  edges: flowEdges.optional().describe("How nodes follow one another"),
  settings: flowSettings.nullish().describe("Limits of its runs, and canvas settings"),
});

const tag = "Flows";

export const listFlows = endpoint({
  method: "GET",
  path: "/flows",
  tag,
  summary: "List flows",
  description:
    "`search` matches flows whose name or description contains every word, in any order, ignoring case and accents. `sortBy=relevance` puts the best match first and breaks ties by the latest change; without `search` it sorts like `updatedAt`. `sortBy=activity` is the later of the last change and the last run. `favorite=true` lists only flows that you have marked; keys have no favorites.",
  scope: "flows:read",
  query: z.object({
    ...paging,
    status: oneOf("status", flowStatuses).optional().describe("Flows of this status"),
    tag: searchText("tag").optional().describe("Flows that have exactly this tag"),
    search: searchText("search").optional().describe("Words in the name or description, in any order and any case"),
    favorite: flag("favorite", false).describe("`true`: only flows that you have marked as favorites"),
    sortBy: oneOf("sortBy", ["name", "createdAt", "updatedAt", "lastExecutedAt", "activity", "relevance"])
      .optional()
      .default("createdAt")
      .describe("The field to sort by"),
    order: order.describe("Ascending or descending"),
  }),
  shape: "list",
  answer: flowListItem,
});

export const createFlow = endpoint({
  method: "POST",
  path: "/flows",
  tag,
  summary: "Create a flow",
  checksVersion: true,
  description: "`tests` are created together with it, and also require the scope `tests:write`.",
  scope: "flows:write",
  body: newFlow.extend({ tests: testsOfFlow }),
  bodyRequired: true,
  status: 201,
  answer: createdFlow,
});

export const readFlow = endpoint({
  method: "GET",
  path: "/flows/:id",
  tag,
  summary: "Read a flow",
  description: "With its graph, settings and trigger, as published. Unpublished changes are at `/flows/{id}/draft`.",
  checksVersion: true,
  scope: "flows:read",
  params: idParams("flow"),
  answer: flow,
});

export const updateFlow = endpoint({
  method: "PATCH",
  path: "/flows/:id",
  tag,
  summary: "Change a flow",
  checksVersion: true,
  description:
    "Only the fields sent change. `If-Match` with the version that you read prevents lost updates.\n\n`tests` replaces the flow's tests, together with the rest or not at all, and also requires the scope `tests:write`: unchanged tests keep their results, tests with the same name are updated, and missing ones are deleted.",
  scope: "flows:write",
  params: idParams("flow"),
  body: flowChanges.extend({ tests: testsOfFlow }),
  answer: flow
    .partial()
    .required({ id: true, updatedAt: true })
    .extend({ settings: shownObject.nullish().describe("Limits of its runs, and canvas settings") }),
});

export const deleteFlow = endpoint({
  method: "DELETE",
  path: "/flows/:id",
  tag,
  summary: "Delete a flow",
  description:
    "No new run can start, and runs in progress are cancelled. Ended executions stay, unless `deleteExecutions` is set, which needs the scope `executions:write` too.",
  checksVersion: true,
  scope: "flows:write",
  flagScopes: { deleteExecutions: "executions:write" },
  params: idParams("flow"),
  query: z.object({
    deleteExecutions: flag("deleteExecutions", false).describe("Whether its executions are deleted too"),
  }),
  shape: "empty",
});

const nodeResult = z.object({
  nodeId: z.string().describe("The node's id"),
  status: z.enum(nodeStatuses).describe("Its status"),
  output: z.unknown().describe("Its output"),
});

export const executeFlow = endpoint({
  method: "POST",
  path: "/flows/:id/execute",
  tag,
  summary: "Run a flow",
  description: `With \`async: false\` the answer waits for the run to end; a run that takes longer continues in the background (202). With \`untilNode\` only that node and those that lead to it run. \`pins\` (drafts and working copies only) holds outputs, by node id, that replace running their nodes. Runs with either happen in the background, answered with 202 at once. \`version\` selects what runs: the published version, an older one by its number, or the working copy (\`draft\`), whose runs are excluded from statistics and alerts, and from the concurrency limit.`,
  scope: "flows:execute",
  params: idParams("flow"),
  body: z.object({
    data: jsonObject("data").optional().default({}).describe("Input of the run: `$trigger.body`"),
    async: z
      .boolean("async must be true or false")
      .optional()
      .default(true)
      .describe("True: 202 at once; false: the answer waits for the run to end"),
    metadata: jsonObject("metadata")
      .optional()
      .default({})
      .describe("Kept in the execution's `metadata`, beside `source`, `ip` and `userAgent`"),
    version: z
      .union(
        [z.enum(["published", "draft"]), z.int().min(1).max(999_999_999)],
        'version must be "published", "draft" or a number',
      )
      .optional()
      .default("published")
      .describe("Number of the flow's version"),
    untilNode: z
      .string("untilNode must be a node id")
      .nullish()
      .describe("Only this node and those that lead to it run"),
    pins: jsonObject("pins").nullish().describe("Outputs by node id, used instead of running the nodes; drafts only"),
  }),
  status: 202,
  statuses: [200, 202],
  answer: z.object({
    executionId: z.string().describe("The execution's id"),
    flowId: z.string().describe("The flow's id"),
    status: z.enum(executionStatuses).describe("Its status"),
    startedAt: timestamp.describe("When it started"),
    completedAt: timestamp.optional().describe("When it ended; null until it has"),
    duration: z.int().optional().describe("Milliseconds; null until it has ended"),
    output: z.unknown().optional().describe("Its output"),
    error: executionError.optional().describe("What went wrong"),
    nodes: z.array(nodeResult).optional().describe("The result of each node"),
  }),
});

export type NewFlow = z.output<typeof newFlow>;
/** `tests`: only for operations that change a flow; a working copy has none. */
export type FlowChanges = z.output<typeof flowChanges> & { readonly tests?: FlowTests };
