import { describe, expect, test } from "vitest";
import { AnswerSlots } from "./answer-slots.ts";

const slotsMax = 8;

/** A call that holds its slot until `end` is called. */
function callOf(slots: AnswerSlots, workspaceId: string) {
  const { promise: sent, resolve: end } = Promise.withResolvers<void>();
  const call = { isAdmitted: false, end, admitted: slots.take(workspaceId, sent) };
  call.admitted.then(
    () => {
      call.isAdmitted = true;
    },
    () => {},
  );
  return call;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("answers of one workspace", () => {
  test("wait for one of its slots, in the order of their calls, and nobody else does", async () => {
    const slots = new AnswerSlots();
    const calls = Array.from({ length: slotsMax + 3 }, () => callOf(slots, "one"));
    const other = callOf(slots, "another");
    await turn();
    expect(calls.map(({ isAdmitted }) => isAdmitted)).toEqual([...Array(slotsMax).fill(true), false, false, false]);
    expect(other.isAdmitted).toBe(true);
    calls[3]?.end();
    await turn();
    expect(calls.slice(slotsMax).map(({ isAdmitted }) => isAdmitted)).toEqual([true, false, false]);
  });

  test("whose clients leave while they wait take no slot", async () => {
    const slots = new AnswerSlots();
    const calls = Array.from({ length: slotsMax + 2 }, () => callOf(slots, "one"));
    calls[slotsMax]?.end();
    await expect(calls[slotsMax]?.admitted).rejects.toThrow("at once");
    calls[0]?.end();
    await expect(calls[slotsMax + 1]?.admitted).resolves.toBeUndefined();
  });

  test("that wait for too long are refused, and say when to come again", async () => {
    const slots = new AnswerSlots(1);
    for (let taken = 0; taken < slotsMax; taken += 1) await callOf(slots, "one").admitted;
    const refusal = { code: "RATE_LIMIT_EXCEEDED", details: { retryAfter: 5 }, retryAfterSeconds: 5 };
    await expect(callOf(slots, "one").admitted).rejects.toMatchObject(refusal);
  });

  test("hold a slot while they are made for an assistant", async () => {
    const slots = new AnswerSlots();
    const work = Array.from({ length: slotsMax }, () => Promise.withResolvers<string>());
    const made = work.map(({ promise }) => slots.during("one", () => promise));
    const waiting = callOf(slots, "one");
    await turn();
    expect(waiting.isAdmitted).toBe(false);
    work[0]?.reject(new Error("it failed"));
    await expect(made[0]).rejects.toThrow("it failed");
    await waiting.admitted;
    for (const { resolve } of work.slice(1)) resolve("made");
    expect(await Promise.all(made.slice(1))).toEqual(Array(slotsMax - 1).fill("made"));
  });
});
