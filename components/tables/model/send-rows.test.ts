import { expect, test } from "vitest";
import type { Api } from "#components/api/use-api.ts";
import { ApiError } from "#lib/contract/client.ts";
import { sendInserts, sendUpdates } from "./send-rows.ts";

interface Sent {
  readonly insert?: readonly Record<string, unknown>[];
  readonly update?: readonly { readonly id: string; readonly row: Record<string, unknown> }[];
}

const refusal = (status: number, details: Record<string, unknown>) =>
  new ApiError(status, status === 409 ? "CONFLICT" : "VALIDATION_ERROR", "refused", details, null);

/** An API with this function as its bulk endpoint; records the number of rows per request. */
function bulk(answer: (rows: readonly Record<string, unknown>[]) => void) {
  const sizes: number[] = [];
  const call = (_: string, input: { body: Sent }) => {
    const rows = input.body.insert ?? input.body.update?.map(({ row }) => row) ?? [];
    sizes.push(rows.length);
    answer(rows);
    return Promise.resolve({ inserted: rows.map(({ n }) => `row-${String(n)}`), updated: rows.length, deleted: 0 });
  };
  return { api: { call } as unknown as Api, sizes };
}

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ values: { n } }));

test("rows are sent a thousand at once, and each gets its id", async () => {
  const { api, sizes } = bulk(() => undefined);
  const outcomes = await sendInserts(api, "t", rows(2_500));
  expect(sizes).toEqual([1_000, 1_000, 500]);
  expect(outcomes[2_499]).toEqual({ kind: "written", id: "row-2499", version: 1 });
});

test("large rows are sent in smaller parts", async () => {
  const { api, sizes } = bulk(() => undefined);
  await sendInserts(
    api,
    "t",
    Array.from({ length: 30 }, (_, n) => ({ values: { n, text: "x".repeat(60_000) } })),
  );
  expect(sizes).toEqual([11, 11, 8]);
});

test("a refused row is reported, column by column, and the others are written", async () => {
  const { api, sizes } = bulk((sent) => {
    const at = sent.findIndex(({ n }) => n === 3);
    if (at >= 0) throw refusal(409, { [`insert[${at}].a.b [0]`]: "there is a row with this value already" });
  });
  const outcomes = await sendInserts(api, "t", rows(5));
  expect(sizes).toEqual([5, 4]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["written", "written", "written", "refused", "written"]);
  expect(outcomes[3]).toEqual({
    kind: "refused",
    cells: { "a.b [0]": "there is a row with this value already" },
  });
  expect(outcomes[4]).toMatchObject({ id: "row-4" });
});

test("a table in which nothing can be written is not asked forever", async () => {
  const { api, sizes } = bulk(() => {
    throw refusal(400, { "insert[0].n": "must be text" });
  });
  const outcomes = await sendInserts(api, "t", rows(1_000));
  expect(sizes.length).toBeLessThan(30);
  expect(outcomes).toHaveLength(1_000);
  expect(outcomes.at(-1)?.kind).toBe("failed");
});

test("a part with a row that somebody changed is stale as a whole, and what is too much for one write is halved", async () => {
  const updates = rows(4).map(({ values }) => ({ id: `row-${values.n}`, version: 2, values }));
  const stale = bulk(() => {
    throw refusal(409, { currentVersion: 7 });
  });
  expect((await sendUpdates(stale.api, "t", updates)).map(({ kind }) => kind)).toEqual(Array(4).fill("stale"));
  const full = bulk((sent) => {
    if (sent.length > 1) throw refusal(400, { rows: "take 3000000 bytes" });
  });
  const outcomes = await sendUpdates(full.api, "t", updates);
  expect(outcomes).toEqual(updates.map(({ id }) => ({ kind: "written", id, version: 3 })));
});
