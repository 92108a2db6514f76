import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { paging } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName } from "#lib/engine/flow.ts";
import { flow, shownEdge, shownNode, shownObject, shownTrigger } from "./shown-flow.ts";

const tag = "Flow versions";

export const flowVersionItem = z.object({
  version: z.int().describe("Number of the flow's version"),
  createdAt: timestamp.describe("When it was created"),
  createdBy: z.string().nullable().describe("Who created it; null for a key"),
  /** Its author's name; null once they are gone. */
  createdByName: z
    .string()
    .nullable()
    .optional()
    .describe("Their name, or the key's; null if neither belongs to the workspace any more"),
  isCurrent: z.boolean().describe("Whether it is the current version"),
  name: z.string().nullable().optional().describe("The version's name; null if it has none"),
  /** Null also for versions that older servers made. */
  summary: z.string().nullable().optional().describe("A one-line summary of its changes; null for the first version"),
  liveAt: timestamp.nullable().optional().describe("When it first went live; null if it never did"),
});

export const flowVersion = flowVersionItem.extend({
  trigger: shownTrigger.describe("What starts it"),
  nodes: z.array(shownNode).describe("Its nodes"),
  edges: z.array(shownEdge).describe("How nodes follow one another"),
  variables: shownObject.describe("Values that its expressions read as `$vars`"),
  draft: z.boolean().optional().describe("True for a working copy that was run; for a restored flow, its working copy"),
});

const versionParams = idParams("flow").extend({ version: z.string().describe("Number of the flow's version") });

export const listFlowVersions = endpoint({
  method: "GET",
  path: "/flows/:id/versions",
  tag,
  summary: "List a flow's versions",
  description: "Newest first.",
  scope: "flows:read",
  params: idParams("flow"),
  query: z.object(paging),
  shape: "list",
  answer: flowVersionItem,
});

export const readFlowVersion = endpoint({
  method: "GET",
  path: "/flows/:id/versions/:version",
  tag,
  summary: "Read a version of a flow",
  description: "`draft-<revision>` reads a working copy that was run, as it was at that time.",
  scope: "flows:read",
  params: versionParams,
  answer: flowVersion,
});

export const nameFlowVersion = endpoint({
  method: "PATCH",
  path: "/flows/:id/versions/:version",
  tag,
  summary: "Name a version of a flow",
  description: "`null` removes the name.",
  scope: "flows:write",
  params: versionParams,
  body: z.object({
    name: flowName
      .max(100, "name must have at most 100 characters")
      .nullable()
      .describe("The version's name; null if it has none"),
  }),
  bodyRequired: true,
  answer: z.object({
    version: z.int().describe("Number of the flow's version"),
    name: z.string().nullable().describe("The version's name; null if it has none"),
  }),
});

export const restoreFlowVersion = endpoint({
  method: "POST",
  path: "/flows/:id/versions/:version/restore",
  tag,
  summary: "Restore a version of a flow",
  checksVersion: true,
  description: "Creates a new version with the old one's content; the history is kept.",
  scope: "flows:write",
  params: versionParams,
  answer: flow.partial().required({ id: true, updatedAt: true, version: true }),
});
