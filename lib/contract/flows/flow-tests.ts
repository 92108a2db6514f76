import { z } from "zod";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { paging } from "#lib/contract/query.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import {
  flowEdges,
  flowLimits,
  flowName,
  flowNodes,
  flowTrigger,
  flowVariables,
  isStorableText,
} from "#lib/engine/flow.ts";
import { deep, expectation, recordings, testLimits, time, triggerData } from "./flow-test-document.ts";
import { shownObject } from "./shown-flow.ts";

const newTest = z
  .object({
    fromExecutionId: z
      .string("fromExecutionId must be text")
      .refine(isStorableText, "fromExecutionId must not contain U+0000")
      .optional()
      .describe("A run of the flow that has completed or failed: the test is made from it"),
    name: flowName.optional().describe("Its name"),
    trigger: triggerData.optional().describe("What starts it"),
    now: time.optional().describe("The time that the run sees"),
    recordings: recordings.optional().describe("Answers from outside, by node id"),
    deep: deep.optional().describe("Whether sub-flows are replayed too, with the recordings of their own nodes"),
    expect: expectation.optional().describe("The expected result"),
  })
  .superRefine(({ fromExecutionId, name, trigger, recordings: given, expect, now }, context) => {
    const isMade = fromExecutionId !== undefined;
    if (!isMade && name === undefined) context.addIssue({ code: "custom", path: ["name"], message: "is required" });
    for (const [field, value] of Object.entries({ trigger, now, recordings: given, expect })) {
      if (!isMade || value === undefined) continue;
      context.addIssue({ code: "custom", path: [field], message: "comes from the run: leave it out" });
    }
  });

const testChanges = z.object({
  name: flowName.optional().describe("Its name"),
  trigger: triggerData.optional().describe("What starts it"),
  now: time.optional().describe("The time that the run sees"),
  recordings: recordings.optional().describe("Answers from outside, by node id"),
  deep: deep.optional().describe("Whether sub-flows are replayed too, with the recordings of their own nodes"),
  expect: expectation.optional().describe("The expected result"),
});

const lastResult = z.object({
  status: z.enum(["passed", "failed"]).describe("Its status"),
  at: timestamp.describe("When"),
  version: z.int().describe("Number of the flow's version"),
});

export const flowTest = z
  .object({
    id: z.string().describe("Its id"),
    flowId: z.string().describe("The flow's id"),
    name: z.string().describe("Its name"),
    trigger: shownObject.describe("What starts it"),
    now: timestamp.describe("The time that the run sees"),
    recordings: shownObject.describe("Answers from outside, by node id"),
    deep: z.boolean().describe("Whether sub-flows are replayed too, with the recordings of their own nodes"),
    expect: shownObject.describe("The expected result"),
    createdAt: timestamp.describe("When it was created"),
    updatedAt: timestamp.describe("When it was last changed"),
    lastResult: lastResult
      .nullable()
      .describe("The result of its last run, on a stored version; null if it has not run since it was changed"),
  })
  .meta({ id: "FlowTest" });

const tag = "Flow tests";
const testParams = idParams("flow").extend({ testId: z.string().describe("The test's id") });

export const listFlowTests = endpoint({
  method: "GET",
  path: "/flows/:id/tests",
  tag,
  summary: "List a flow's tests",
  description: "Newest first.",
  scope: "flows:read",
  params: idParams("flow"),
  query: z.object(paging),
  shape: "list",
  answer: flowTest,
});

export const createFlowTest = endpoint({
  method: "POST",
  path: "/flows/:id/tests",
  tag,
  summary: "Create a test of a flow",
  checksVersion: true,
  description: [
    "By hand, or with `fromExecutionId` from a run of the flow that has completed or failed: its trigger data, the answers from outside as `recordings`, and what ran as `expect`. That also requires the scope `executions:read`. Secrets are masked in runs, and so are never in a test.",
    "A recording is `{output}`, `{error: {message, code}}`, or `{sequence: [{output} | {error}, …]}` for several attempts and iterations. `expect.ignore` names paths that are not compared, such as `nodes.pay.request.headers`; `*` matches any one key or index.",
    "With `deep: true`, sub-flows are replayed too, in their published versions: the recording of a sub-flow is then `{recordings}`, by the ids of its own nodes. One with `{output}` or `{error}` is not replayed.",
    `A flow has at most ${testLimits.testsMax} tests, each of at most 1 MiB, and 5 MiB together.`,
  ].join("\n\n"),
  scope: "tests:write",
  params: idParams("flow"),
  body: newTest,
  bodyRequired: true,
  status: 201,
  answer: flowTest,
});

export const readFlowTest = endpoint({
  method: "GET",
  path: "/flows/:id/tests/:testId",
  tag,
  summary: "Read a test of a flow",
  description: "With its input, its expectations and its last result.",
  checksVersion: true,
  scope: "flows:read",
  params: testParams,
  answer: flowTest,
});

export const updateFlowTest = endpoint({
  method: "PATCH",
  path: "/flows/:id/tests/:testId",
  tag,
  summary: "Change a test of a flow",
  checksVersion: true,
  description: "Only the fields sent change. A test that has changed has no `lastResult`.",
  scope: "tests:write",
  params: testParams,
  body: testChanges,
  answer: flowTest,
});

export const deleteFlowTest = endpoint({
  method: "DELETE",
  path: "/flows/:id/tests/:testId",
  tag,
  summary: "Delete a test of a flow",
  description: "Its last result is deleted with it. The flow stays as it is.",
  checksVersion: true,
  scope: "tests:write",
  params: testParams,
  shape: "empty",
});

const problem = z.object({
  path: z.string().describe("Where: `nodes.total.output.sum`"),
  nodeId: z.string().nullable().describe("The node's id; null for the execution as a whole"),
  message: z.string().describe("What went wrong, in words"),
  expected: z.unknown().describe("The expected value"),
  actual: z.unknown().describe("The actual value"),
});

const testResult = z.object({
  testId: z.string().describe("The test's id"),
  name: z.string().describe("Its name"),
  status: z.enum(["passed", "failed"]).describe("Its status"),
  problems: z.array(problem).describe("Everything that keeps it from running; empty when nothing does"),
  notRecorded: z.array(z.string()).describe("Nodes with an outside effect and no recording"),
});

/** Which flow to test: a stored version, or a given definition. Default: the current flow. */
export const tested = {
  version: z
    .int("version must be a whole number")
    .min(1, "version must be at least 1")
    .max(2 ** 31 - 1)
    .optional()
    .describe("Number of the flow's version"),
  definition: z
    .object(
      {
        trigger: flowTrigger.optional().describe("What starts it"),
        nodes: flowNodes.describe("Its nodes"),
        edges: flowEdges.optional().default([]).describe("How nodes follow one another"),
        variables: flowVariables.optional().default({}).describe("Values that its expressions read as `$vars`"),
      },
      "definition must be an object with nodes",
    )
    .optional()
    .describe("A flow that is not stored"),
};

export const notBoth = {
  path: ["version"],
  error: "cannot be given together with definition",
};

interface Tested {
  readonly version?: number | undefined;
  readonly definition?: unknown;
}

export const isOne = ({ version, definition }: Tested) => version === undefined || definition === undefined;

export const runFlowTests = endpoint({
  method: "POST",
  path: "/flows/:id/tests/run",
  tag,
  summary: "Run tests of a flow",
  description: [
    "Replays the flow over each test: the current version, an earlier `version`, or a `definition`. Nothing is sent and no run is stored. A node with an outside effect and no recording fails its test (`NOT_RECORDED`), and is never called.",
    "Tests run one at a time, oldest first. Tests that have not ended after 30 seconds fail.",
  ].join("\n\n"),
  scope: "flows:read",
  params: idParams("flow"),
  body: z
    .object({
      testIds: z
        .array(z.string("must be a test's id"), "testIds must be an array of ids")
        .max(testLimits.testsMax, `testIds must have at most ${testLimits.testsMax} ids`)
        .optional()
        .describe("The tests to run; all of the flow without it"),
      ...tested,
    })
    .refine(isOne, notBoth),
  bodyLevelsMax: flowLimits.wrappedLevelsMax,
  answer: z.object({
    passed: z.int().describe("How many passed"),
    failed: z.int().describe("How many failed or timed out"),
    durationMs: z.int().describe("Milliseconds that it took"),
    results: z.array(testResult).describe("The result of each test"),
  }),
});

export const acceptFlowTest = endpoint({
  method: "POST",
  path: "/flows/:id/tests/:testId/accept",
  tag,
  summary: "Accept a test's result",
  checksVersion: true,
  description:
    "Replays the flow over the test, as when running it, and makes the result the new expectation: the status, and those parts of output and nodes that were expected before. Removed nodes are no longer expected. 400 if a node has no recording.",
  scope: "tests:write",
  params: testParams,
  body: z.object(tested).refine(isOne, notBoth),
  bodyRequired: false,
  bodyLevelsMax: flowLimits.wrappedLevelsMax,
  answer: flowTest,
});

export type NewFlowTest = z.output<typeof newTest>;
export type FlowTestChanges = z.output<typeof testChanges>;
export type ShownFlowTest = z.output<typeof flowTest>;
export type FlowTestResult = z.output<typeof testResult>;
export type AcceptTest = z.output<(typeof acceptFlowTest)["body"]>;
export type RunTests = z.output<(typeof runFlowTests)["body"]>;
