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

/** A JSON object in an answer: passed on unchanged, whatever its keys. */
export const shownObject = z.unknown().meta({ type: "object", additionalProperties: true });

/** A trigger's config, documented by the settings of all types; passed on unchanged. */
const shownTriggerConfig = z.unknown().meta({
  type: "object",
  properties: {
    url: { type: "string", description: "For a webhook or form: its generated URL" },
    method: { type: "string", enum: [...triggerMethods], description: "For a webhook: the method it accepts" },
    authentication: {
      type: "string",
      enum: [...triggerAuthentications],
      description: "For a webhook or form: how callers authenticate",
    },
    respond: { type: "string", description: "For a webhook or form: `immediately` answers before the run has ended" },
    // Untyped, because a draft may hold anything unfinished.
    credential: { description: "For a webhook or form: the name of the callers' credential" },
    fields: { description: "For a form: its fields" },
    title: { description: "For a form: its heading; the flow's name by default" },
    description: { description: "For a form: plain text above the fields" },
    submitLabel: { description: "For a form: the button's label" },
    cron: { description: "For a schedule: when it runs; for a poll: when it polls" },
    timezone: { description: "For a schedule or poll: the time zone of `cron`" },
    misfire: { description: "For a schedule: what to do about missed times" },
  },
  additionalProperties: true,
});

/** A trigger in an answer: a webhook's or form's config has its generated `url`. */
export const shownTrigger = z
  .object({
    type: z
      .enum(triggerTypes)
      .describe(
        "`webhook`, `form`, `schedule`, `table`, `error`, `poll`, `rss`, `mail`, or `manual` (only the API starts it)",
      ),
    config: shownTriggerConfig.describe(
      "For a webhook: `method`, `authentication`, `credential`, and the generated `url`; for a schedule: `cron`, `timezone`, `misfire`",
    ),
  })
  .meta({ id: "Trigger" });

export const shownNode = z
  .object({
    id: z.string().describe("Unique in the flow; edges and expressions refer to it"),
    type: z.string().describe("One of `GET /node-types`"),
    name: z.string().describe("Its name"),
    position: z
      .object({ x: z.number().describe("Pixels to the right"), y: z.number().describe("Pixels down") })
      .describe("Its position on the canvas"),
    config: shownObject.describe("Its settings, as `GET /node-types` describes them for its type"),
    disabled: z
      .boolean()
      .optional()
      .describe("True: the node is skipped, and its input is passed on along its plain handle"),
  })
  .meta({ id: "Node" });

export const shownEdge = z
  .object({
    id: z.string().optional().describe("Its id, if the client gave one"),
    source: z.string().describe("Id of the node it starts at, or `trigger`"),
    target: z.string().describe("Id of the node that it leads to"),
    sourceHandle: z.string().nullish().describe("The node's output it starts at: `true`, `false`, a case, `error` …"),
    targetHandle: z.string().nullish().describe("Kept for the client"),
    label: z
      .string()
      .nullish()
      .describe("The text beside it; `true`/`yes`/`then` and `false`/`no`/`else` count as handles of an if-else"),
  })
  .meta({ id: "Edge" });

export const flowListItem = z
  .object({
    id: z.string().describe("The flow's id"),
    name: z.string().describe("Its name"),
    description: z.string().nullable().describe("What it is for"),
    status: flowStatus.describe("`active`, `inactive` (its trigger URL refuses calls) or `draft`"),
    tags: z.array(z.string()).describe("Labels to find it by"),
    trigger: shownTrigger.describe("What starts it"),
    nodes: z.array(shownNode).describe("Its nodes"),
    createdAt: timestamp.describe("When it was created"),
    updatedAt: timestamp.describe("When it was last changed"),
    lastExecutedAt: timestamp.nullable().describe("When it last ran; null until then"),
    executionCount: z.int().describe("Number of runs"),
    favorite: z.boolean().optional().describe("Whether you have marked it as a favorite; missing in answers to a key"),
  })
  .meta({ id: "FlowListItem" });

const document = {
  variables: shownObject.describe("Values that its expressions read as `$vars`"),
  edges: z.array(shownEdge).describe("How nodes follow one another"),
  settings: shownObject.optional().describe("Limits of its runs, and canvas settings"),
  version: z.int().describe("Number of the flow's version"),
};

export const flow = flowListItem
  .extend({
    ...document,
    averageExecutionTime: z
      .number()
      .nullable()
      .describe("Average of completed runs, in milliseconds; null without any"),
    /** The next scheduled run; null if there is none. Only for flows with a schedule. */
    nextRunAt: timestamp.nullable().optional().describe("When its schedule starts it next"),
    poll: pollState
      .nullable()
      .optional()
      .describe(
        "The state of its polling; null while it is not active. Only for flows with a `poll`, `rss` or `mail` trigger",
      ),
    /** Its working copy; null if there is none. */
    draft: z
      .object({
        revision: z.int().describe("Increases with every write of the working copy"),
        basedOn: z.int().describe("The version that the working copy is based on"),
        updatedAt: timestamp.describe("When it was last changed"),
      })
      .nullable()
      .optional()
      .describe("Its working copy; null without one. Only in single reads"),
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
