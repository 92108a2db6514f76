import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import {
  flowEdges,
  flowName,
  flowNodes,
  flowSettings,
  flowTrigger,
  flowVariables,
  versionSummary,
} from "#lib/engine/flow.ts";
import { problem } from "./checks.ts";
import { createdFlow, shownEdge, shownNode, shownObject, shownTrigger } from "./shown-flow.ts";

const tag = "Working copies";

const change = z.object({
  nodeId: z.string().optional().describe("The node that changed; `trigger` for the trigger"),
  path: z.string().optional().describe("Of what is no node: `name`, `edges`, `variables`, `settings` or `positions`"),
  kind: z.enum(["added", "removed", "changed"]).describe("What kind it is"),
  summary: z.string().describe("For people, such as `If / else: condition` or `+ Log`"),
});

const shownDefinition = z.object({
  name: z.string().describe("Its name"),
  trigger: shownTrigger.describe("What starts it"),
  nodes: z.array(shownNode).describe("What it does, node by node"),
  edges: z.array(shownEdge).describe("How nodes follow one another"),
  variables: shownObject.describe("Values that its expressions read as `$vars`"),
  settings: shownObject.describe("Limits of its runs, and what people see on the canvas"),
});

export const flowDraft = z
  .object({
    definition: shownDefinition.describe("The flow as it would be; `settings` without `canvas`"),
    basedOn: z.int().describe("The version that its changes were made from"),
    currentVersion: z.int().describe("The version that runs: publishing needs it to be `basedOn`"),
    revision: z.int().describe("Goes up with every write; its `ETag`"),
    updatedAt: timestamp.describe("When it was changed last"),
    updatedBy: z.string().nullable().describe("The id of the person or the key that wrote it last"),
    updatedByName: z.string().nullable().describe("Their name; null once they are gone"),
    changes: z.array(change).describe("In what it differs from `basedOn`"),
    summary: z.string().describe("The changes in a line: what a version is called that is published without one"),
    problems: z.array(problem).describe("Everything that keeps it from being published"),
  })
  .meta({ id: "WorkingCopy" });

export type ShownDraft = z.output<typeof flowDraft>;

export const draftBody = z.object({
  definition: z
    .object(
      {
        name: flowName.optional().describe("Its name"),
        trigger: flowTrigger.optional().describe("What starts it"),
        nodes: flowNodes.describe("What it does, node by node"),
        edges: flowEdges.optional().default([]).describe("How nodes follow one another"),
        variables: flowVariables.optional().default({}).describe("Values that its expressions read as `$vars`"),
        settings: flowSettings
          .omit({ canvas: true })
          .nullish()
          .describe("Limits of its runs, and what people see on the canvas"),
      },
      "definition must be an object",
    )
    .describe("The whole flow as it would be"),
  basedOn: z
    .int("basedOn must be a whole number")
    .min(1, "basedOn must be at least 1")
    .optional()
    .describe(
      "The version that the definition was made from. Missing: that of the working copy, or the version that runs where there is none",
    ),
  flowUpdatedAt: timestamp
    .optional()
    .describe(
      "The `updatedAt` of the flow that `name` and `settings` were read from: 409 `CONFLICT` when the flow was changed since",
    ),
});

export const readDraft = endpoint({
  method: "GET",
  path: "/flows/:id/draft",
  tag,
  summary: "Read a flow's working copy",
  description: "404 when there is none.",
  checksVersion: "revision",
  scope: "flows:read",
  params: idParams("flow"),
  shape: "data",
  status: 200,
  answer: flowDraft,
});

export const writeDraft = endpoint({
  method: "PUT",
  path: "/flows/:id/draft",
  tag,
  summary: "Save a flow's working copy",
  description: `Calls, schedules and sub-flows go on running the version that is published. Any half-made flow is taken, also one
whose graph is not sound: \`problems\` has what keeps it from being published. \`If-Match: "0"\` stands for no working copy.`,
  checksVersion: "revision",
  scope: "flows:write",
  params: idParams("flow"),
  body: draftBody,
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: flowDraft,
});

export const discardDraft = endpoint({
  method: "DELETE",
  path: "/flows/:id/draft",
  tag,
  summary: "Discard a flow's working copy",
  checksVersion: "revision",
  scope: "flows:write",
  params: idParams("flow"),
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export const publishFlow = endpoint({
  method: "POST",
  path: "/flows/:id/publish",
  tag,
  summary: "Publish a flow's working copy",
  description: `Makes it the flow's new version, all or nothing, and checks it as activation does; the flow's status stays. 409 \`CONFLICT\`
when the flow is not at \`ifVersion\`, or no longer at the version that the working copy was based on: then \`details.merge\` is both
sides' changes put together, to be written with \`PUT\` and \`basedOn: details.currentVersion\`; null where both changed the same,
which \`details.conflicts\` names. \`If-Match\` is of the working copy's revision.`,
  checksVersion: "revision",
  scope: "flows:write",
  params: idParams("flow"),
  body: z.object({
    summary: versionSummary.nullish().describe("What changed, in a line; made from the changes when missing"),
    ifVersion: z
      .int("ifVersion must be a whole number")
      .min(1, "ifVersion must be at least 1")
      .nullish()
      .describe("Only when this is the version that runs"),
  }),
  shape: "data",
  status: 200,
  answer: createdFlow,
});
