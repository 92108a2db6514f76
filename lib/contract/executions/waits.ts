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
    "Lets a `wait` node, or an `agent` that asks for approval, go on, once; the body is what it was waiting for, or the answers to its form. 409 when it was resumed already, when its time limit passed, or when the run has not come to it yet.",
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

/** So many waits of a run are told, those that are open first. */
export const waitsMax = 100;
/** So many open forms of a workspace are told, from so many of its latest open runs. */
export const approvalsMax = 50;
export const openRunsMax = 1_000;

const iteration = z
  .string()
  .nullable()
  .meta({ description: "For a node in a loop's body: which turn, as `?iteration=` of the answer takes it" });

const callWait = z
  .object({
    nodeId: z.string(),
    nodeName: z.string(),
    iteration,
    state: z
      .enum(["open", "answered", "over"])
      .meta({ description: "`over`: its time limit passed, or the run ended without an answer" }),
    since: timestamp.meta({ description: "When the node began to wait" }),
    until: timestamp.nullable().meta({ description: "When its time limit passes; null without one" }),
    hasForm: z.boolean().meta({ description: "Whether people are asked something, or any call goes" }),
    form: waitForm
      .nullable()
      .meta({ description: "Of an open wait: what people are asked. Forms over 1 MiB together are left out" }),
    url: z.string().nullable().meta({
      description: "Of an open wait, with the scope `executions:write`: the form's link. Whoever has it can answer",
    }),
    answeredAt: timestamp.nullable(),
    answeredBy: z
      .string()
      .nullable()
      .meta({ description: "The id of the person or the key that answered; null for an answer through the link" }),
    answeredByName: z.string().nullable().meta({ description: "Their name; null once they are gone" }),
  })
  .meta({ id: "CallWait" });

export const listWaits = endpoint({
  method: "GET",
  path: "/executions/:id/waits",
  tag: "Executions",
  summary: "List what a run waits for",
  description: `The answers and calls that the nodes of a run wait for, or waited for, with who gave them: the open ones first, at most ${waitsMax}.`,
  scope: "executions:read",
  params: idParams,
  shape: "data",
  status: 200,
  answer: z.array(callWait),
});

const approval = z
  .object({
    executionId: z.string(),
    flowId: z.string(),
    flowName: z.string(),
    nodeId: z.string(),
    nodeName: z.string(),
    iteration,
    title: z.string().nullable().meta({ description: "The form's title" }),
    since: timestamp.meta({ description: "When the node began to wait" }),
    until: timestamp.nullable().meta({ description: "When its time limit passes; null without one" }),
  })
  .meta({ id: "Approval" });

export const listApprovals = endpoint({
  method: "GET",
  path: "/approvals",
  tag: "Executions",
  summary: "List what waits for people",
  description: `The forms that people are asked to answer now, those that wait longest first: at most ${approvalsMax}, from the latest ${openRunsMax} runs that have not ended.`,
  scope: "executions:read",
  shape: "data",
  status: 200,
  answer: z.array(approval),
});

export type CallWait = z.output<typeof callWait>;
export type Approval = z.output<typeof approval>;
