import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { executionError, executionStatuses, nodeStatuses } from "#lib/contract/executions/executions.ts";
import { pollState } from "#lib/contract/flows/polls.ts";
import { flag, oneOf, order, paging, searchText } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import {
  flowDescription,
  type flowEdge,
  flowEdges,
  flowName,
  type flowNode,
  flowNodes,
  flowSettings,
  flowStatus,
  flowStatuses,
  flowTags,
  flowTrigger,
  flowVariables,
  jsonObject,
  triggerAuthentications,
  triggerMethods,
  triggerTypes,
} from "#lib/engine/flow.ts";
import { type FlowTests, testsOfFlow } from "./flow-test-document.ts";

/** A JSON object as it is told: handed on as it is, whatever its keys are called. */
export const shownObject = z.unknown().meta({ type: "object", additionalProperties: true });

/** A trigger's config by the settings that its types have; handed on as it is. */
const shownTriggerConfig = z.unknown().meta({
  type: "object",
  properties: {
    url: { type: "string", description: "Of a webhook or form: its URL, which is generated" },
    method: { type: "string", enum: [...triggerMethods], description: "Of a webhook: the method it takes" },
    authentication: {
      type: "string",
      enum: [...triggerAuthentications],
      description: "Of a webhook or form: how its callers show who they are",
    },
    credential: {
      type: "string",
      description: "Of a webhook or form: the name of the credential that its callers have",
    },
    respond: { type: "string", description: "Of a webhook or form: `immediately` answers before the run has ended" },
    // A draft may hold a half-made form, so these have no type.
    fields: { description: "Of a form: the list of what it asks" },
    title: { description: "Of a form: its heading; the flow's name by default" },
    description: { description: "Of a form: plain text above the fields" },
    submitLabel: { description: "Of a form: what its button says" },
    cron: { type: "string", description: "Of a schedule: when it runs; of a poll: when it looks" },
    timezone: { type: "string", description: "Of a schedule or poll: the time zone of `cron`" },
    misfire: { type: "string", description: "Of a schedule: what becomes of times that were missed" },
  },
  additionalProperties: true,
});

/** A trigger as it is told: a webhook's or form's config has its generated `url`. */
export const shownTrigger = z
  .object({ type: z.enum(triggerTypes), config: shownTriggerConfig })
  .meta({ id: "Trigger" });

export const shownNode = z
  .object({
    id: z.string(),
    type: z.string(),
    name: z.string(),
    position: z.object({ x: z.number(), y: z.number() }),
    config: shownObject,
    disabled: z.boolean().optional(),
  })
  .meta({ id: "Node" });

export const shownEdge = z
  .object({
    id: z.string().optional(),
    source: z.string(),
    target: z.string(),
    sourceHandle: z.string().nullish(),
    targetHandle: z.string().nullish(),
    label: z.string().nullish(),
  })
  .meta({ id: "Edge" });

export const flowListItem = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    status: flowStatus,
    tags: z.array(z.string()),
    trigger: shownTrigger,
    nodes: z.array(shownNode),
    createdAt: timestamp,
    updatedAt: timestamp,
    lastExecutedAt: timestamp.nullable(),
    executionCount: z.int(),
    /** Of answers to people only: whether they have marked it. */
    favorite: z.boolean().optional(),
  })
  .meta({ id: "FlowListItem" });

const document = {
  variables: shownObject,
  edges: z.array(shownEdge),
  settings: shownObject.optional(),
  version: z.int(),
};

export const flow = flowListItem
  .extend({
    ...document,
    averageExecutionTime: z.number().nullable(),
    /** When it runs next by itself; null while it does not. Of flows with a schedule only. */
    nextRunAt: timestamp.nullable().optional(),
    poll: pollState.nullable().optional(),
    /** Its working copy; null without one. */
    draft: z.object({ revision: z.int(), basedOn: z.int(), updatedAt: timestamp }).nullable().optional(),
  })
  .meta({ id: "Flow" });

export const createdFlow = flow.omit({
  lastExecutedAt: true,
  executionCount: true,
  favorite: true,
  averageExecutionTime: true,
  nextRunAt: true,
  poll: true,
  draft: true,
});

export const newFlow = z.object({
  name: flowName,
  description: flowDescription.nullish(),
  status: flowStatus.optional().default("draft"),
  tags: flowTags.optional().default([]),
  variables: flowVariables.optional().default({}),
  trigger: flowTrigger,
  nodes: flowNodes,
  edges: flowEdges.optional().default([]),
  settings: flowSettings.nullish(),
});

export const flowChanges = z.object({
  name: flowName.optional(),
  description: flowDescription.nullish(),
  status: flowStatus.optional(),
  tags: flowTags.optional(),
  variables: flowVariables.optional(),
  trigger: flowTrigger.optional(),
  nodes: flowNodes.optional(),
  edges: flowEdges.optional(),
  settings: flowSettings.nullish(),
});

const tag = "Flows";

export const listFlows = endpoint({
  method: "GET",
  path: "/flows",
  tag,
  summary: "List flows",
  description:
    "`search` matches flows whose name or description contains every word, in any order, ignoring case and accents. `sortBy=relevance` puts the best match first and breaks ties by the latest change; without `search` it sorts like `updatedAt`. `sortBy=activity` is the later of the last change and the last run. `favorite=true` keeps to the flows that one has marked; a key has marked none.",
  scope: "flows:read",
  query: z.object({
    ...paging,
    status: oneOf("status", flowStatuses).optional(),
    tag: searchText("tag").optional(),
    search: searchText("search").optional(),
    favorite: flag("favorite", false),
    sortBy: oneOf("sortBy", ["name", "createdAt", "updatedAt", "lastExecutedAt", "activity", "relevance"])
      .optional()
      .default("createdAt"),
    order,
  }),
  shape: "list",
  status: 200,
  answer: flowListItem,
});

export const createFlow = endpoint({
  method: "POST",
  path: "/flows",
  tag,
  summary: "Create a flow",
  checksVersion: true,
  description: "`tests` are made together with it, and take the scope `tests:write` too.",
  scope: "flows:write",
  body: newFlow.extend({ tests: testsOfFlow }),
  bodyRequired: true,
  shape: "data",
  status: 201,
  answer: createdFlow,
});

export const readFlow = endpoint({
  method: "GET",
  path: "/flows/:id",
  tag,
  summary: "Read a flow",
  checksVersion: true,
  scope: "flows:read",
  params: idParams,
  shape: "data",
  status: 200,
  answer: flow,
});

export const updateFlow = endpoint({
  method: "PATCH",
  path: "/flows/:id",
  tag,
  summary: "Change a flow",
  checksVersion: true,
  description:
    "Only the fields sent change. `If-Match` with the version that was read refuses a lost update.\n\n`tests` replaces the flow's tests, together with the rest or not at all, and takes the scope `tests:write` too: those that are as they were keep their results, one of the same name is changed, and those that are missing are deleted.",
  scope: "flows:write",
  params: idParams,
  body: flowChanges.extend({ tests: testsOfFlow }),
  shape: "data",
  status: 200,
  answer: flow.partial().required({ id: true, updatedAt: true }).extend({ settings: shownObject.nullish() }),
});

export const deleteFlow = endpoint({
  method: "DELETE",
  path: "/flows/:id",
  tag,
  summary: "Delete a flow",
  checksVersion: true,
  scope: "flows:write",
  params: idParams,
  query: z.object({ deleteExecutions: flag("deleteExecutions", false) }),
  shape: "empty",
  status: 204,
  answer: z.null(),
});

const nodeResult = z.object({ nodeId: z.string(), status: z.enum(nodeStatuses), output: z.unknown() });

export const executeFlow = endpoint({
  method: "POST",
  path: "/flows/:id/execute",
  tag,
  summary: "Run a flow",
  description: `With \`async: false\` the answer waits for the run to end; a run that takes longer goes on (202). With
\`untilNode\` only that node and those on a way to it run. \`pins\` (of drafts and working copies only) holds outputs, by node id, that are
taken instead of running their nodes. Runs with either are done in the background, and answered with 202 at once. \`version\` is
what runs: the published version, an older one by its number, or the working copy (\`draft\`), whose runs count in no statistics
and no alerts, and wait for no others.`,
  scope: "flows:execute",
  params: idParams,
  body: z.object({
    data: jsonObject("data").optional().default({}),
    async: z.boolean("async must be true or false").optional().default(true),
    metadata: jsonObject("metadata").optional().default({}),
    version: z
      .union(
        [z.enum(["published", "draft"]), z.int().min(1).max(999_999_999)],
        'version must be "published", "draft" or a number',
      )
      .optional()
      .default("published"),
    untilNode: z.string("untilNode must be a node id").nullish(),
    pins: jsonObject("pins").nullish(),
  }),
  shape: "data",
  status: 202,
  statuses: [200, 202],
  answer: z.object({
    executionId: z.string(),
    flowId: z.string(),
    status: z.enum(executionStatuses),
    startedAt: timestamp,
    completedAt: timestamp.optional(),
    duration: z.int().optional(),
    output: z.unknown().optional(),
    error: executionError.optional(),
    nodes: z.array(nodeResult).optional(),
  }),
});

export type NewFlow = z.output<typeof newFlow>;
/** `tests`: of those that change a flow through the API; a working copy has none. */
export type FlowChanges = z.output<typeof flowChanges> & { readonly tests?: FlowTests };
type Parts = { readonly nodes: z.output<typeof flowNode>[]; readonly edges: z.output<typeof flowEdge>[] };
export type ShownFlow = z.output<typeof flow> & Parts;
