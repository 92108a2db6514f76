import { z } from "zod";
import { endpoint } from "#lib/contract/endpoint.ts";
import { iterationPath } from "./iterations.ts";

const timestamp = z.iso.datetime();

export const resumeNode = endpoint({
  method: "POST",
  path: "/executions/:id/nodes/:nodeId/resume",
  tag: "Executions",
  summary: "Resume a node that waits",
  description:
    "Lets a `wait` node go on, once; the body is what it was waiting for, or the answers to its form. 409 when it was resumed already, when its time limit passed, or when the run has not come to it yet.",
  scope: "executions:write",
  params: z.object({ id: z.string(), nodeId: z.string() }),
  query: z.object({
    iteration: iterationPath("iteration")
      .optional()
      .meta({ description: "Which turn of the loop is meant, from 0, for a node in a loop's body." }),
  }),
  body: z.record(z.string(), z.unknown()),
  shape: "data",
  status: 200,
  answer: z.object({ executionId: z.string(), nodeId: z.string(), resumedAt: timestamp }),
});
