import { z } from "zod";
import { pollState } from "#lib/contract/flows/polls.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import {
  type flowEdge,
  type flowNode,
  flowStatus,
  triggerAuthentications,
  triggerMethods,
  triggerTypes,
} from "#lib/engine/flow.ts";

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
  .object({
    type: z
      .enum(triggerTypes)
      .describe(
        "`webhook`, `form`, `schedule`, `table`, `error`, `poll`, `rss`, `mail`, or `manual` (only the API starts it)",
      ),
    config: shownTriggerConfig.describe(
      "Of a webhook: `method`, `authentication`, `credential`, and the generated `url`; of a schedule: `cron`, `timezone`, `misfire`",
    ),
  })
  .meta({ id: "Trigger" });

export const shownNode = z
  .object({
    id: z.string().describe("Unique in the flow; edges and expressions refer to it"),
    type: z.string().describe("One of `GET /node-types`"),
    name: z.string().describe("What people call it"),
    position: z
      .object({ x: z.number().describe("Pixels to the right"), y: z.number().describe("Pixels down") })
      .describe("Where it stands on the canvas"),
    config: shownObject.describe("Its settings, as `GET /node-types` describes them for its type"),
    disabled: z
      .boolean()
      .optional()
      .describe("True: the node is skipped over, and its input goes on by its plain handle"),
  })
  .meta({ id: "Node" });

export const shownEdge = z
  .object({
    id: z.string().optional().describe("Its id, where the client gave one"),
    source: z.string().describe("Id of the node that it leaves, or `trigger`"),
    target: z.string().describe("Id of the node that it leads to"),
    sourceHandle: z
      .string()
      .nullish()
      .describe("Which way out of the node it takes: `true`, `false`, a case, `error` …"),
    targetHandle: z.string().nullish().describe("Kept for the client"),
    label: z
      .string()
      .nullish()
      .describe("What stands beside it; `true`/`yes`/`then` and `false`/`no`/`else` count as handles of an if-else"),
  })
  .meta({ id: "Edge" });

export const flowListItem = z
  .object({
    id: z.string().describe("The flow's id"),
    name: z.string().describe("What people call it"),
    description: z.string().nullable().describe("What it is for"),
    status: flowStatus.describe("`active`, `inactive` (its trigger URL refuses calls) or `draft`"),
    tags: z.array(z.string()).describe("Words to find it by"),
    trigger: shownTrigger.describe("What starts it"),
    nodes: z.array(shownNode).describe("What it does, node by node"),
    createdAt: timestamp.describe("When it was made"),
    updatedAt: timestamp.describe("When it was changed last"),
    lastExecutedAt: timestamp.nullable().describe("When it ran last; null until it has"),
    executionCount: z.int().describe("Runs in all"),
    /** Of answers to people only: whether they have marked it. */
    favorite: z.boolean().optional().describe("Whether one has marked it as a favorite; missing in answers to a key"),
  })
  .meta({ id: "FlowListItem" });

const document = {
  variables: shownObject.describe("Values that its expressions read as `$vars`"),
  edges: z.array(shownEdge).describe("How nodes follow one another"),
  settings: shownObject.optional().describe("Limits of its runs, and what people see on the canvas"),
  version: z.int().describe("Number of the flow's version"),
};

export const flow = flowListItem
  .extend({
    ...document,
    averageExecutionTime: z.number().nullable().describe("Milliseconds, over completed runs; null without any"),
    /** When it runs next by itself; null while it does not. Of flows with a schedule only. */
    nextRunAt: timestamp.nullable().optional().describe("When its schedule starts it next"),
    poll: pollState
      .nullable()
      .optional()
      .describe(
        "How its looks for items went; null while it is not active. Of flows with the trigger `poll`, `rss` or `mail` only",
      ),
    /** Its working copy; null without one. */
    draft: z
      .object({
        revision: z.int().describe("Goes up with every write of the working copy"),
        basedOn: z.int().describe("The version that the working copy was made from"),
        updatedAt: timestamp.describe("When it was changed last"),
      })
      .nullable()
      .optional()
      .describe("Its working copy; null without one. Of single reads only"),
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

type Parts = { readonly nodes: z.output<typeof flowNode>[]; readonly edges: z.output<typeof flowEdge>[] };
export type ShownFlow = z.output<typeof flow> & Parts;
