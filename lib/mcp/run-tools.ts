import { z } from "zod";
import { executionStatuses } from "#lib/contract/executions/statuses.ts";
import { createBacktest, verdicts } from "#lib/contract/flows/backtests.ts";
import { createFlowTest, runFlowTests } from "#lib/contract/flows/flow-tests.ts";
import { rehearseFlow } from "#lib/contract/flows/rehearsals.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { flowId, pageOf } from "./flow-tools.ts";
import type { Port } from "./port.ts";
import { type BuilderTool, builderTool, readAnswer, resultCharactersMax, textResult } from "./tool.ts";

const workingCopy = z.boolean("workingCopy must be true or false").optional().meta({
  description:
    "True: use the flow's working copy, which millrace_change_flow changes, instead of the published version",
});

/**
 * A tool that calls one operation on a flow: its input is the operation's body plus the flow's id. Tools that replay a
 * flow also accept its working copy.
 */
function onFlow(
  described: Pick<BuilderTool, "name" | "title" | "description" | "isReading">,
  name: "runFlowTests" | "createFlowTest" | "rehearseFlow" | "createBacktest",
  body: z.ZodType,
  less: string,
): BuilderTool {
  const isReplay = name === "runFlowTests" || name === "rehearseFlow";
  return builderTool({
    ...described,
    uses: isReplay ? [name, "readDraft"] : [name],
    input: z.intersection(isReplay ? z.object({ flowId, workingCopy }) : z.object({ flowId }), body),
    perform: async (_, port, sent) => {
      const { flowId: id, workingCopy: isOfCopy, ...rest } = sent;
      const params = { id };
      const definition = isReplay && isOfCopy === true ? await definitionOfCopy(port, id) : {};
      return textResult(await port.call(name, { params, body: { ...rest, ...definition } }, resultCharactersMax), less);
    },
  });
}

async function definitionOfCopy(port: Port, id: unknown): Promise<object> {
  const { definition } = await readAnswer(port, "readDraft", { params: { id } });
  const { trigger, nodes, edges, variables } = definition as JsonObject;
  return { definition: { trigger, nodes, edges, variables } };
}

const listTests = builderTool({
  name: "millrace_list_tests",
  title: "List a flow's tests",
  description: "A flow's tests with their recordings and expectations, newest first.",
  isReading: true,
  uses: ["listFlowTests"],
  input: z.object({ flowId, ...pageOf }),
  perform: async ({ flowId: id, page, limit }, port) => {
    const query = { page: String(page), limit: String(limit) };
    return textResult(
      await port.call("listFlowTests", { params: { id }, query }, resultCharactersMax),
      "Ask for a smaller limit.",
    );
  },
});

const listRuns = builderTool({
  name: "millrace_list_runs",
  title: "List runs",
  description: "Runs in brief, latest first.",
  isReading: true,
  uses: ["listExecutions"],
  input: z.object({
    flowId: flowId.optional(),
    status: z.enum(executionStatuses).optional(),
    search: z.string("search must be text").optional().describe("Words of the error or the flow's name"),
    ...pageOf,
  }),
  perform: async ({ page, limit, ...filter }, port) => {
    const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const query = { page: String(page), limit: String(limit), ...Object.fromEntries(given) };
    return textResult(await port.call("listExecutions", { query }, resultCharactersMax), "Ask for a smaller limit.");
  },
});

/** The maximum number of nodes to explain per run: each costs a request. */
const explainedMax = 8;
const outputsMax = 16_384;

const explainRun = builderTool({
  name: "millrace_explain_run",
  title: "Explain a run",
  description:
    "The outcome of a run: its error, each node's status, `why` nodes failed or were skipped (what an expression read, which decision took another branch), and the timeline of its states.",
  isReading: true,
  uses: ["readExecution", "readTimeline", "readNodeExecution"],
  input: z.object({ executionId: z.string("executionId must be text").describe("The run's id") }),
  perform: async ({ executionId: id }, port) => {
    const run = await readAnswer(port, "readExecution", { params: { id } });
    const nodes = run.nodes as JsonObject[];
    const failed = nodes.filter(({ status }) => status === "failed");
    const others = nodes.filter(({ status }) => status === "skipped" || status === "waiting" || status === "running");
    const explained = [...failed, ...others].slice(0, explainedMax);
    const reasons: JsonObject[] = [];
    for (const { nodeId } of explained) reasons.push(await reasonsOf(port, id, nodeId));
    const timeline = await port.call("readTimeline", { params: { id } }, outputsMax);
    const { trigger, output, nodes: _, ...described } = run;
    const parts = {
      ...described,
      trigger: abbreviated(trigger),
      output: abbreviated(output),
      nodes: nodes.map(({ input: __, output: ___, ...node }) => node),
      why: reasons,
      timeline: timeline.isCut ? `${timeline.text.toWellFormed()} [cut]` : JSON.parse(timeline.text),
    };
    return textResult({ text: JSON.stringify(parts) }, "The run's page in the app has the rest.");
  },
});

async function reasonsOf(port: Port, id: string, nodeId: unknown): Promise<JsonObject> {
  const { text, isCut } = await port.call("readNodeExecution", { params: { id, nodeId } }, 1_048_576);
  if (isCut) return { nodeId: String(nodeId), note: "Its data is too large to show here" };
  const { status, error = null, why: reasons = [], input = null } = JSON.parse(text) as JsonObject;
  return {
    nodeId: String(nodeId),
    status: status ?? null,
    error,
    why: reasons,
    ...(status === "failed" ? { input: abbreviated(input) } : {}),
  };
}

/** A value, or the beginning of its text if it is long. */
function abbreviated(value: unknown): JsonObject[string] {
  const text = JSON.stringify(value ?? null);
  if (text.length <= outputsMax / 4) return (value ?? null) as JsonObject[string];
  return `${text.slice(0, outputsMax / 4).toWellFormed()} [cut: ${text.length} characters]`;
}

const readBacktest = builderTool({
  name: "millrace_read_backtest",
  title: "Read a backtest",
  description: "A backtest's progress, its counts, and a page of its runs.",
  isReading: true,
  uses: ["readBacktest"],
  input: z.object({
    flowId,
    backtestId: z.string("backtestId must be text"),
    verdict: z.enum(verdicts).optional(),
    ...pageOf,
  }),
  perform: async ({ flowId: id, backtestId, verdict, page, limit }, port) => {
    const query = { page: String(page), limit: String(limit), ...(verdict === undefined ? {} : { verdict }) };
    return textResult(
      await port.call("readBacktest", { params: { id, backtestId }, query }, resultCharactersMax),
      "Ask for a smaller limit, or for one verdict.",
    );
  },
});

export const runTools: readonly BuilderTool[] = [
  listTests,
  onFlow(
    {
      name: "millrace_create_test",
      title: "Create a test",
      description:
        "Stores a test of a flow: from a run (`fromExecutionId`), or by hand with `name`, `trigger` ({body, headers, query, method}), `recordings` by node id (what nodes with an outside effect answered) and `expect` ({status, output, nodes}).",
      isReading: false,
    },
    "createFlowTest",
    createFlowTest.body,
    "List the flow's tests to read the rest.",
  ),
  onFlow(
    {
      name: "millrace_run_tests",
      title: "Run tests",
      description:
        "Replays a flow over its tests: the current version, the working copy, a `version`, or a `definition`. Nothing is sent.",
      isReading: true,
    },
    "runFlowTests",
    runFlowTests.body,
    "Name fewer testIds.",
  ),
  onFlow(
    {
      name: "millrace_start_backtest",
      title: "Start a backtest",
      description:
        "Replays past runs with the working copy, or a `definition`, and compares. It runs in the background: millrace_read_backtest returns the results.",
      isReading: false,
    },
    "createBacktest",
    createBacktest.body,
    "",
  ),
  readBacktest,
  onFlow(
    {
      name: "millrace_rehearse_flow",
      title: "Rehearse a flow",
      description:
        "The outcome of a test (`testId`) or a run (`executionId`) when something goes wrong: each node that acts outside with each fault, or the `faults` given. Nothing is sent.",
      isReading: true,
    },
    "rehearseFlow",
    rehearseFlow.body,
    "Name fewer faults.",
  ),
  listRuns,
  explainRun,
];
