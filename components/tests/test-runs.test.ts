import { expect, test } from "vitest";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import { draftOf } from "#components/editor/testing/draft-of.ts";
import type { FlowTestResult } from "#lib/contract/flows/flow-tests.ts";
import { resultsInWords, runTests, testRunsOf } from "./test-runs.ts";

function sessionOf() {
  const answers: PromiseWithResolvers<object>[] = [];
  const bodies: object[] = [];
  const call = (_: string, { body }: { body: object }) => {
    bodies.push(body);
    const answer = Promise.withResolvers<object>();
    answers.push(answer);
    return answer.promise;
  };
  const editor = { draft: draftOf(), flowId: "flow_1", say: () => {} };
  const autosave = { isUnsaved: false, known: { version: 3, copy: null as object | null } };
  const session = { api: { call }, editor, autosave } as unknown as EditorSession;
  return { session, autosave, answers, bodies, store: testRunsOf(session.editor) };
}

const answerOf = (status: string) => ({ results: [{ testId: "test_1", status }] });

test("what is published is tested as a version, whose results are kept, and changes as they are", async () => {
  const { session, autosave, bodies } = sessionOf();
  void runTests(session);
  autosave.isUnsaved = true;
  void runTests(session);
  autosave.isUnsaved = false;
  autosave.known.copy = {};
  void runTests(session, ["test_1"]);
  const definition = expect.objectContaining({ nodes: expect.any(Array) });
  expect(bodies).toEqual([{ version: 3 }, { definition }, { definition, testIds: ["test_1"] }]);
});

test("a late answer does not replace the results of a newer run", async () => {
  const { session, answers, store } = sessionOf();
  const runs = [runTests(session), runTests(session)];
  answers[1]?.resolve(answerOf("failed"));
  await runs[1];
  answers[0]?.resolve(answerOf("passed"));
  await runs[0];
  expect(store.getState().results.get("test_1")?.status).toBe("failed");
  expect(store.getState().isRunning).toBe(false);
});

test("a run of one test ends neither a run of all nor its results", async () => {
  const { session, answers, store } = sessionOf();
  const [before, all, after] = [runTests(session, ["test_1"]), runTests(session), runTests(session, ["test_2"])];
  answers[2]?.resolve({ results: [{ testId: "test_2", status: "passed" }] });
  await after;
  expect(store.getState().isRunning).toBe(true);
  answers[1]?.resolve(answerOf("failed"));
  await all;
  expect(store.getState().isRunning).toBe(false);
  answers[0]?.resolve(answerOf("passed"));
  await before;
  expect(store.getState().results.get("test_1")?.status).toBe("failed");
});

test("results from before are not shown for a run that failed", async () => {
  const { session, answers, store } = sessionOf();
  const first = runTests(session);
  answers[0]?.resolve(answerOf("passed"));
  await first;
  const second = runTests(session);
  answers[1]?.reject(new TypeError("fetch failed"));
  await second;
  expect(store.getState().results.size).toBe(0);
});

test("the tests that were run are told from those that were not", () => {
  const tests = ["a", "b"].map((id) => ({ id }));
  const result = (id: string, status: string) => [id, { testId: id, status }] as unknown as [string, FlowTestResult];
  expect(resultsInWords(tests, new Map())).toBeUndefined();
  expect(resultsInWords(tests, new Map([result("a", "passed"), result("gone", "failed")]))).toBe("1 of 2 passed");
  expect(resultsInWords(tests, new Map([result("a", "passed"), result("b", "passed")]))).toBe("All passed");
  expect(resultsInWords(tests, new Map([result("b", "failed")]))).toBe("1 failed");
});
