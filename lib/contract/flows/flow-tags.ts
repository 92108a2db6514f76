import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";

/** The maximum number of listed tags: the most used. */
export const flowTagsMax = 1_000;

export const listFlowTags = endpoint({
  method: "GET",
  path: "/flows/tags",
  tag: "Flows",
  summary: "List the tags of flows",
  description: `Every tag in the workspace, with its number of flows, in alphabetical order; if there are more than ${flowTagsMax}, the most used ones.`,
  scope: "flows:read",
  answer: z.array(
    z.object({
      tag: z.string().describe("Flows that have exactly this tag"),
      flows: z.int().describe("How many flows have it"),
    }),
  ),
});
