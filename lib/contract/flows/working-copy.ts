import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import {
  flowEdges,
  flowLimits,
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
  path: z
    .string()
    .optional()
    .describe("For changes outside nodes: `name`, `edges`, `variables`, `settings` or `positions`"),
  kind: z.enum(["added", "removed", "changed"]).describe("Its kind"),
  summary: z.string().describe("In words, such as `If / else: condition` or `+ Log`"),
});

const shownDefinition = z.object({
  name: z.string().describe("Its name"),
  trigger: shownTrigger.describe("What starts it"),
  nodes: z.array(shownNode).describe("Its nodes"),
  edges: z.array(shownEdge).describe("How nodes follow one another"),
  variables: shownObject.describe("Values that its expressions read as `$vars`"),
  settings: shownObject.describe("Limits of its runs, and canvas settings"),
});

export const flowDraft = z
  .object({
    definition: shownDefinition.describe("The flow as it would be; `settings` without `canvas`"),
    basedOn: z.int().describe("The version that its changes are based on"),
    currentVersion: z.int().describe("The current version: publishing requires it to equal `basedOn`"),
    revision: z.int().describe("Increases with every write; its `ETag`"),
    updatedAt: timestamp.describe("When it was last changed"),
    updatedBy: z.string().nullable().describe("The id of the person or the key that wrote it last"),
    updatedByName: z.string().nullable().describe("Their name; null if they no longer exist"),
    changes: z.array(change).describe("How it differs from `basedOn`"),
    summary: z.string().describe("The changes in one line: the default summary when publishing"),
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
        nodes: flowNodes.describe("Its nodes"),
        edges: flowEdges.optional().default([]).describe("How nodes follow one another"),
        variables: flowVariables.optional().default({}).describe("Values that its expressions read as `$vars`"),
        settings: flowSettings.omit({ canvas: true }).nullish().describe("Limits of its runs, and canvas settings"),
      },
      "definition must be an object",
    )
    .describe("The whole flow as it would be"),
  basedOn: z
    .int("basedOn must be a whole number")
    .min(1, "basedOn must be at least 1")
    .optional()
    .describe(
      "The version that the definition is based on. Default: the working copy's, or the current version if there is none",
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
  description: "404 if there is none.",
  checksVersion: "revision",
  scope: "flows:read",
  params: idParams("flow"),
  answer: flowDraft,
});

export const writeDraft = endpoint({
  method: "PUT",
  path: "/flows/:id/draft",
  tag,
  summary: "Save a flow's working copy",
  description: `Calls, schedules and sub-flows keep running the published version. An unfinished flow is accepted, even if its graph is invalid: \`problems\` lists what keeps it from being published. \`If-Match: "0"\` stands for no working copy.`,
  checksVersion: "revision",
  scope: "flows:write",
  params: idParams("flow"),
  body: draftBody,
  bodyRequired: true,
  bodyLevelsMax: flowLimits.wrappedLevelsMax,
  answer: flowDraft,
});

export const discardDraft = endpoint({
  method: "DELETE",
  path: "/flows/:id/draft",
  tag,
  summary: "Discard a flow's working copy",
  description: "The published version stays as it is.",
  checksVersion: "revision",
  scope: "flows:write",
  params: idParams("flow"),
  shape: "empty",
});

export const publishFlow = endpoint({
  method: "POST",
  path: "/flows/:id/publish",
  tag,
  summary: "Publish a flow's working copy",
  description: `Makes it the flow's new version, all or nothing, and checks it as activation does; the flow's status stays. 409 \`CONFLICT\`
when the flow is not at \`ifVersion\`, or no longer at the version that the working copy was based on: then \`details.merge\` has both sides' changes, to be written with \`PUT\` and \`basedOn: details.currentVersion\`; it is null if both changed the same field, which \`details.conflicts\` names. \`If-Match\` takes the working copy's revision.`,
  checksVersion: "revision",
  scope: "flows:write",
  params: idParams("flow"),
  body: z.object({
    summary: versionSummary.nullish().describe("What changed, in one line; generated from the changes by default"),
    ifVersion: z
      .int("ifVersion must be a whole number")
      .min(1, "ifVersion must be at least 1")
      .nullish()
      .describe("Only publish if this is the current version"),
  }),
  answer: createdFlow,
});
