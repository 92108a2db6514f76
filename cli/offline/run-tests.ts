// Replays a flow's tests in this process, with the sandbox beside it: the engine and the sandbox of the server.
import { findGraphProblems } from "#lib/engine/graph.ts";
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { problemsOf, type TestProblem } from "#lib/replay/comparison/compare.ts";
import { prepareReplay, type Replayable } from "#lib/replay/prepare.ts";
import { replay } from "#lib/replay/replay.ts";
import type { FindFlow } from "#lib/replay/sub-flow.ts";
import type { Sandbox } from "#lib/sandbox/sandbox.ts";

export interface TestResult {
  readonly name: string;
  readonly status: "passed" | "failed";
  readonly durationMs: number;
  readonly problems: readonly TestProblem[];
}

/** Of one test. */
const testMsMax = 30_000;
/** What a run sees as its time, where a test has none: the same every day. */
const timeless = "2026-01-01T00:00:00.000Z";

/** Makes a flow ready. Null where its graph is not sound: no test can be run. */
export function prepare({ flow }: FlowDocument): Replayable | null {
  const { trigger, nodes, edges, variables = {} } = flow;
  if (findGraphProblems(nodes, edges, nodeTypes).length > 0) return null;
  return prepareReplay({ trigger, nodes, edges, variables });
}

/** One test after the other. `findFlow`: the flows that deep tests run through. Gives each result as it comes. */
export async function* runTests(
  { flow: { name }, tests = [] }: FlowDocument,
  flow: Replayable,
  {
    sandbox,
    findFlow,
    flowId,
  }: { readonly sandbox: Sandbox; readonly findFlow: FindFlow; readonly flowId?: string | undefined },
): AsyncGenerator<TestResult, void, undefined> {
  for (const test of tests) {
    const began = performance.now();
    const { expect, trigger, recordings, deep, now = timeless } = test;
    const signal = AbortSignal.timeout(testMsMax);
    const around = {
      flowName: name,
      sandbox,
      owner: "",
      signal,
      findFlow,
      ...(flowId === undefined ? {} : { flowId }),
    };
    const problems = await replay(flow, { trigger, recordings, now, deep }, around)
      .then((replayed) => problemsOf(expect, replayed))
      .catch((error: unknown): TestProblem[] => {
        if (!signal.aborted) throw error;
        const message = `takes longer than ${testMsMax / 1_000} seconds: it was given up`;
        return [{ path: "status", nodeId: null, message, expected: expect.status, actual: null }];
      });
    const durationMs = performance.now() - began;
    yield { name: test.name, status: problems.length === 0 ? "passed" : "failed", durationMs, problems };
  }
}
