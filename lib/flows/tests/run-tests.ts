import type { Actor } from "#lib/auth/actor.ts";
import type { AcceptTest, FlowTestResult, RunTests } from "#lib/contract/flows/flow-tests.ts";
import { settleBranches } from "#lib/engine/branches.ts";
import type { FlowDefinition } from "#lib/engine/flow.ts";
import { findGraphProblems } from "#lib/engine/graph.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { type CompiledVersion, compileVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { etagOf } from "#lib/flows/if-match.ts";
import { findFlow } from "#lib/flows/show-flow.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { isoNow, timeNow } from "#lib/platform/clock.ts";
import { database, query } from "#lib/platform/database.ts";
import { nextTurn, yieldAfter } from "#lib/platform/turns.ts";
import { problemsOf } from "#lib/replay/comparison/compare.ts";
import { acceptedExpectation } from "#lib/replay/comparison/expectation.ts";
import { replay } from "#lib/replay/replay.ts";
import type { FindFlow } from "#lib/replay/sub-flow.ts";
import { findTest, readTest, rowsOfTests, type TestDocument, updateFlowTest } from "./flow-tests.ts";
import { findSubFlow, replayInTurn, replayPlaces } from "./replay-places.ts";

/** The time limit for all tests of one request. */
const runMsMax = 30_000;
/** The total size of problems in an answer, apart from the first of each test. */
const listedCharactersMax = 500_000;

/** Replays the flow over its tests. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function runFlowTests(actor: Actor, id: string, { testIds, ...given }: RunTests) {
  const { row, flow, storedAs } = await flowToTest(actor, id, given);
  const ids = await idsOfTests(id, testIds);
  const startedAt = performance.now();
  const tested = await replayAll({ owner: actor.workspaceId, id, name: row.name, flow }, ids);
  if (storedAs !== null) await keepResults(id, tested, storedAs);
  const results = tested.map(({ result }) => result);
  const passed = results.filter(({ status }) => status === "passed").length;
  const durationMs = Math.round(performance.now() - startedAt);
  return { passed, failed: results.length - passed, durationMs, results };
}

/**
 * Makes a test's result its expectation. Throws NOT_FOUND, CONFLICT, and VALIDATION_ERROR if a node has no recording.
 */
export async function acceptFlowTest(
  actor: Actor,
  id: string,
  testId: string,
  given: AcceptTest,
  ifMatch: string | null,
) {
  const test = await findTest(actor, id, testId);
  const { row, flow } = await flowToTest(actor, id, given);
  const { expect, ...input } = readTest(test);
  const replayed = await replayInTurn(
    { owner: actor.workspaceId, flow: row, version: flow, input, msMax: runMsMax },
    notAccepted,
  );
  const { ignore, ...accepted } = acceptedExpectation(expect, replayed);
  const changes = { expect: { ...accepted, ...(ignore === undefined ? {} : { ignore: [...ignore] }) } };
  // Refused if the test has changed since it was replayed.
  return await updateFlowTest(actor, id, testId, changes, ifMatch ?? etagOf(test.version));
}

function notAccepted(message: string): AppError {
  return new AppError("VALIDATION_ERROR", "The test's result cannot be accepted", { details: { test: message } });
}

/** The flow to test: a stored version, or a given definition. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function flowToTest(actor: Actor, id: string, { version, definition }: AcceptTest) {
  const { row } = await findFlow(actor, id);
  const isStored = definition === undefined;
  const flow = isStored ? await loadVersion(id, version ?? row.version) : await compileGiven(actor, definition);
  if (flow === null) throw notFound("Version");
  return { row, flow, storedAs: isStored ? (version ?? row.version) : null };
}

/** The tests of a flow that fail with this definition. `given`: the tests that will replace its own. */
export async function failingTests(
  actor: Actor,
  flow: { readonly id: string; readonly name: string },
  definition: FlowDefinition,
  given?: readonly TestDocument[],
): Promise<FlowTestResult[]> {
  const tests = given === undefined ? await idsOfTests(flow.id) : await rowsOfTests(flow.id, given, timeNow());
  if (tests.length === 0) return [];
  const version = await compileGiven(actor, definition);
  const tested = await replayAll({ owner: actor.workspaceId, id: flow.id, name: flow.name, flow: version }, tests);
  return tested.map(({ result }) => result).filter(({ status }) => status === "failed");
}

interface Tested {
  readonly owner: string;
  readonly id: string;
  readonly name: string;
  readonly flow: CompiledVersion;
}

/** A test's result, with the test's version. */
interface VersionedResult {
  readonly testVersion: number;
  readonly result: FlowTestResult;
}

/** A stored test. */
interface StoredTest {
  readonly id: string;
  readonly name: string;
  readonly data: string;
  readonly version?: number;
}

/** Replays one test after the other, yielding between any two steps. */
async function replayAll(tested: Tested, tests: readonly (string | StoredTest)[]): Promise<VersionedResult[]> {
  return await replayPlaces().take(tested.owner, async () => {
    const signal = AbortSignal.timeout(runMsMax);
    const findFlow = findSubFlow(tested.owner);
    let listedCharacters = 0;
    const results: VersionedResult[] = [];
    for (const test of tests) {
      const row = typeof test === "string" ? await database().flowTest.findUnique({ where: { id: test } }) : test;
      // Deleted meanwhile.
      if (row === null) continue;
      await yieldAfter(row.data.length);
      const result = await replayOne(tested, row, { signal, findFlow });
      const problems = listedCharacters > listedCharactersMax ? result.problems.slice(0, 1) : result.problems;
      listedCharacters += jsonCharacters(problems, listedCharactersMax);
      results.push({ testVersion: row.version ?? 1, result: { testId: row.id, name: row.name, ...result, problems } });
      await nextTurn();
    }
    return results;
  });
}

async function replayOne(
  { owner, id, name, flow }: Tested,
  row: { readonly data: string },
  { signal, findFlow }: { readonly signal: AbortSignal; readonly findFlow: FindFlow },
): Promise<Omit<FlowTestResult, "testId" | "name">> {
  const { expect, ...input } = readTest(row);
  const context = { flowName: name, flowId: id, sandbox: runSignals().sandbox(), owner, signal, findFlow };
  try {
    const replayed = await replay(flow, input, context);
    await nextTurn();
    const problems = await problemsOf(expect, replayed);
    return { status: problems.length === 0 ? "passed" : "failed", problems, notRecorded: [...replayed.notRecorded] };
  } catch (error) {
    if (!signal.aborted) throw error;
    const message = `the tests took longer than ${runMsMax / 1_000} seconds together: this one was given up`;
    const problem = { path: "status", nodeId: null, message, expected: expect.status, actual: null };
    return { status: "failed", problems: [problem], notRecorded: [] };
  }
}

const testIdsOf = "SELECT id FROM flow_test WHERE flow_id = $1 ORDER BY created_at, id";

/** The ids of a flow's tests, oldest first, or only the wanted ones. Throws VALIDATION_ERROR. */
async function idsOfTests(flowId: string, requested?: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>("tests-of-flow", testIdsOf, [flowId]);
  const ids = rows.map(({ id }) => id);
  if (requested === undefined) return ids;
  const missing = requested.findIndex((id) => !ids.includes(id));
  if (missing === -1) return ids.filter((id) => requested.includes(id));
  throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
    details: { [`testIds[${missing}]`]: "there is no such test of this flow" },
  });
}

/** Compiles a definition that is not stored. Throws VALIDATION_ERROR. */
export async function compileGiven(
  { workspaceId }: Actor,
  { nodes, edges, variables }: Pick<FlowDefinition, "nodes" | "edges" | "variables">,
): Promise<CompiledVersion> {
  const problems = findGraphProblems(nodes, edges, nodeTypes);
  if (problems.length > 0) {
    const details = Object.fromEntries(
      problems.slice(0, 100).map(({ path, message }) => [`definition.${path}`, message]),
    );
    throw new AppError("VALIDATION_ERROR", "The flow is not valid", { details });
  }
  const definition = { trigger: { type: "manual" as const, config: {} }, nodes, edges, variables };
  const version = compileVersion(definition, settleBranches(nodes, edges, nodeTypes.traits));
  await version.planAll(workspaceId);
  return version;
}

const keep = `
  UPDATE flow_test SET last_result = r.result FROM unnest($2::text[], $3::int[], $4::text[]) AS r(id, version, result)
  WHERE flow_test.flow_id = $1 AND flow_test.id = r.id AND flow_test.version = r.version`;

/** Stores no result for a test that has changed meanwhile. */
async function keepResults(flowId: string, tested: readonly VersionedResult[], version: number): Promise<void> {
  const at = isoNow();
  const ids = tested.map(({ result }) => result.testId);
  const versions = tested.map(({ testVersion }) => testVersion);
  const texts = tested.map(({ result }) => JSON.stringify({ status: result.status, at, version }));
  await query("keep-test-results", keep, [flowId, ids, versions, texts]);
}
