import { expect, test } from "vitest";
import type { EditorSession } from "#components/editor/state/editor-session.ts";
import { draftOf } from "#components/editor/testing/draft-of.ts";
import { runTests, testRunsOf } from "./test-runs.ts";

function sessionOf() {
  const answers: PromiseWithResolvers<object>[] = [];
  const call = () => {
    const answer = Promise.withResolvers<object>();
    answers.push(answer);
    return answer.promise;
  };
  const editor = { draft: draftOf(), flowId: "flow_1", say: () => {} };
  const session = { api: { call }, editor } as unknown as EditorSession;
  return { session, answers, store: testRunsOf(session.editor) };
}

const answerOf = (status: string) => ({ results: [{ testId: "test_1", status }] });

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
