import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { waitForm } from "#lib/engine/wait-form.ts";
import { iterationPath } from "./iterations.ts";

export const resumeNode = endpoint({
  method: "POST",
  path: "/executions/:id/nodes/:nodeId/resume",
  tag: "Executions",
  summary: "Resume a node that waits",
  description:
    "Resumes a `wait` node, or an `agent` that asks for approval, once; the body is what it was waiting for, or the answers to its form. 409 if it was already resumed, its time limit has passed, or the run has not reached it yet.",
  scope: "executions:write",
  params: z.object({ id: z.string().describe("The execution's id"), nodeId: z.string().describe("The node's id") }),
  query: z.object({
    iteration: iterationPath("iteration")
      .optional()
      .describe("The iteration of the loop, from 0, for a node in a loop's body."),
  }),
  body: z.record(z.string(), z.unknown()),
  answer: z.object({
    executionId: z.string().describe("The execution's id"),
    nodeId: z.string().describe("The node's id"),
    resumedAt: timestamp.describe("When it was resumed"),
  }),
});

/** The maximum number of listed waits of a run, open ones first. */
export const waitsMax = 100;
/** The maximum number of listed open forms of a workspace, and of its latest open runs to search. */
export const approvalsMax = 50;
export const openRunsMax = 1_000;

const iteration = z
  .string()
  .nullable()
  .describe("For a node in a loop's body: which iteration, for `?iteration=` when resuming it");

const callWait = z
  .object({
    nodeId: z.string().describe("The node's id; null for the execution as a whole"),
    nodeName: z.string().describe("The node's name"),
    iteration,
    state: z
      .enum(["open", "answered", "over"])
      .describe("`over`: its time limit passed, or the run ended without an answer"),
    since: timestamp.describe("When the node started to wait"),
    until: timestamp.nullable().describe("When its time limit passes; null without one"),
    hasForm: z.boolean().describe("Whether it waits for people, or for any call"),
    form: waitForm.nullable().describe("For an open wait: the form. Forms beyond 1 MiB in total are omitted"),
    url: z
      .string()
      .nullable()
      .describe("For an open wait, with the scope `executions:write`: the form's link. Anyone who has it can answer"),
    answeredAt: timestamp.nullable().describe("When it was answered; null until then"),
    answeredBy: z
      .string()
      .nullable()
      .describe("The id of the person or the key that answered; null for an answer through the link"),
    answeredByName: z.string().nullable().describe("Their name; null if they no longer exist"),
  })
  .meta({ id: "CallWait" });

export const listWaits = endpoint({
  method: "GET",
  path: "/executions/:id/waits",
  tag: "Executions",
  summary: "List what a run waits for",
  description: `The answers and calls that the nodes of a run wait for, or waited for, and who gave them: open ones first, at most ${waitsMax}.`,
  scope: "executions:read",
  params: idParams("execution"),
  answer: z.array(callWait),
});

const approval = z
  .object({
    executionId: z.string().describe("The execution's id"),
    flowId: z.string().describe("The flow's id"),
    flowName: z.string().describe("The flow's name"),
    nodeId: z.string().describe("The node's id; null for the execution as a whole"),
    nodeName: z.string().describe("The node's name"),
    iteration,
    title: z.string().nullable().describe("The form's title"),
    since: timestamp.describe("When the node started to wait"),
    until: timestamp.nullable().describe("When its time limit passes; null without one"),
  })
  .meta({ id: "Approval" });

export const listApprovals = endpoint({
  method: "GET",
  path: "/approvals",
  tag: "Executions",
  summary: "List pending approvals",
  description: `The forms that wait for an answer, longest waiting first: at most ${approvalsMax}, from the latest ${openRunsMax} runs that have not ended.`,
  scope: "executions:read",
  answer: z.array(approval),
});

export type CallWait = z.output<typeof callWait>;
export type Approval = z.output<typeof approval>;
