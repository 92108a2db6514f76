import { expect, test } from "vitest";
import {
  type History,
  inverse,
  noHistory,
  noStep,
  redoStep,
  renamed,
  type Step,
  undoStep,
  withStep,
} from "./edit-history.ts";

const edit = (id: string, before: unknown, after: unknown): Step => ({
  ...noStep,
  updates: [{ id, before: { n: before }, after: { n: after } }],
});

test("steps are taken back in turn and done again in turn", () => {
  const [older, newer] = [edit("a", 1, 2), edit("a", 2, 3)];
  const history = withStep(withStep(noHistory, older), newer);
  const first = undoStep(history);
  expect(first?.step).toEqual(newer);
  const second = undoStep(first?.history as History);
  expect(second?.step).toEqual(older);
  expect(undoStep(second?.history as History)).toBeNull();
  expect(redoStep(second?.history as History)?.step).toEqual(older);
});

test("another edit forgets what was taken back", () => {
  const back = undoStep(withStep(noHistory, edit("a", 1, 2)));
  expect(withStep(back?.history as History, edit("b", 1, 5)).future).toEqual([]);
});

test("a step that did nothing is none", () => {
  expect(withStep(noHistory, noStep)).toEqual(noHistory);
});

test("the way back swaps values, and what was added with what was deleted", () => {
  const row = { id: "x", values: { n: 1 } };
  expect(inverse({ ...edit("a", 1, 2), inserted: [row], deleted: [] })).toEqual({
    ...edit("a", 2, 1),
    inserted: [],
    deleted: [row],
  });
});

test("a row that came back as another is meant by every step", () => {
  const history: History = {
    past: [edit("a", 1, 2)],
    future: [{ ...noStep, deleted: [{ id: "a", values: { n: 2 } }] }],
  };
  const after = renamed(history, new Map([["a", "b"]]));
  expect(after.past[0]?.updates[0]?.id).toBe("b");
  expect(after.future[0]?.deleted[0]?.id).toBe("b");
});

test("old steps are forgotten: by their number and by the rows that they hold", () => {
  let history = noHistory;
  for (let n = 0; n < 500; n += 1) history = withStep(history, edit("a", n, n + 1));
  expect(history.past).toHaveLength(200);
  expect(history.past.at(-1)).toEqual(edit("a", 499, 500));
  const many = { ...noStep, inserted: Array.from({ length: 15_000 }, (_, n) => ({ id: String(n), values: {} })) };
  const full = withStep(withStep(history, many), many);
  expect(full.past).toHaveLength(1);
});
