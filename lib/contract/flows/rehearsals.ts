import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { faults } from "#lib/engine/faults.ts";
import { flowLimits, isStorableText } from "#lib/engine/flow.ts";
import { isOne, notBoth, tested } from "./flow-tests.ts";

/** Limits on a rehearsal (docs/testing.md). */
export const rehearsalLimits = {
  casesMax: 400,
  /** Steps of a run × cases. */
  stepsMax: 20_000,
  /** Characters of a run's outputs and requests as JSON × cases. */
  charactersMax: 256 * 1_048_576,
} as const;

const id = (field: string) =>
  z.string(`${field} must be text`).refine(isStorableText, `${field} must not contain U+0000`).optional();

const nodeFault = z.object(
  {
    nodeId: z
      .string("nodeId must be text")
      .max(flowLimits.nodeIdCharactersMax, "there is no node with so long an id")
      .describe("The node's id; null for the execution as a whole"),
    fault: z.enum(faults, `fault must be one of ${faults.join(", ")}`).describe("What goes wrong"),
  },
  "must be {nodeId, fault}",
);

const rehearsal = z
  .object({
    testId: id("testId").describe("The test's id"),
    executionId: id("executionId").describe("The execution's id"),
    faults: z
      .array(nodeFault, "faults must be an array of {nodeId, fault}")
      .min(1, "faults must not be empty: leave it out for all")
      .max(rehearsalLimits.casesMax, `a rehearsal has at most ${rehearsalLimits.casesMax} cases`)
      .optional()
      .describe("What goes wrong, and where; by default every fault at every node that acts outside, one at a time"),
    ...tested,
  })
  .refine(isOne, notBoth)
  .refine(({ testId, executionId }) => (testId === undefined) !== (executionId === undefined), {
    path: ["testId"],
    error: "give either testId or executionId",
  });

const rehearsalCase = z.object({
  nodeId: z.string().describe("The node's id; null for the execution as a whole"),
  fault: z.enum(faults).describe("What goes wrong"),
  status: z.enum(["completed", "failed"]).describe("Its status"),
  answer: z.unknown().describe("What the run answers"),
  handled: z.boolean().describe("Whether an error edge, `onError`, a retry or recovery led to a completed run"),
  repeatedEffects: z.array(z.string()).describe("Nodes whose effect may have happened twice"),
  attempts: z.int().describe("How many times it was sent"),
  note: z.string().describe("The same in words"),
});

export const rehearseFlow = endpoint({
  method: "POST",
  path: "/flows/:id/rehearse",
  tag: "Flow tests",
  summary: "Rehearse failures",
  description: [
    "Replays the flow over a test or a run, once per case, with one thing going wrong once. Nothing is sent and nothing is stored. Without `faults`, each node with an outside effect gets each fault, one at a time. An `executionId` also requires the scope `executions:read`.",
    "`killed-before` kills the process after the step is recorded as started, before it acts; `killed-after` after it has acted, before that is recorded. The run then resumes from its records, as in production.",
    "`handled` is true when an error edge, `onError`, a retry or recovery led to a completed run, and no effect was repeated without a key that lets its receiver detect the repeat. `repeatedEffects` names nodes whose effect may have happened twice.",
    `At most ${rehearsalLimits.casesMax} cases, and ${rehearsalLimits.stepsMax.toLocaleString("en-US")} steps in all cases together; 30 seconds.`,
  ].join("\n\n"),
  scope: "flows:read",
  params: idParams("flow"),
  body: rehearsal,
  bodyRequired: true,
  bodyLevelsMax: flowLimits.wrappedLevelsMax,
  answer: z.object({ cases: z.array(rehearsalCase).describe("One for each fault at each node") }),
});

export type Rehearsal = z.output<typeof rehearsal>;
export type RehearsalCase = z.output<typeof rehearsalCase>;
