import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";

/** Tags that are told: the most used. */
export const flowTagsMax = 1_000;

export const listFlowTags = endpoint({
  method: "GET",
  path: "/flows/tags",
  tag: "Flows",
  summary: "List the tags of flows",
  description: `Every tag that a flow of the workspace has, and how many have it, in the order of the alphabet; of more than ${flowTagsMax}, the most used.`,
  scope: "flows:read",
  shape: "data",
  status: 200,
  answer: z.array(
    z.object({
      tag: z.string().describe("Flows that have exactly this tag"),
      flows: z.int().describe("How many flows have it"),
    }),
  ),
});
