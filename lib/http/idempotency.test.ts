import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newActor, useOwnDatabase } from "#e2e/support/own-database.ts";
import { query } from "#lib/platform/database.ts";
import { jsonAnswer } from "./envelope.ts";
import { answerOnce } from "./idempotency.ts";

let own: { drop(): Promise<void> };
let workspaceId: string;

beforeAll(async () => {
  own = await useOwnDatabase();
  ({ workspaceId } = await newActor());
  const refuse = "BEGIN RAISE EXCEPTION 'disk full' USING ERRCODE = 'XX000'; END";
  await query("refuse", `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ ${refuse} $$`, []);
});
afterAll(() => own.drop());

const requestOf = (key: string) => ({ workspaceId, key, path: "POST /v1/flows", body: { name: "x" } });

describe("an answer that cannot be stored", () => {
  test("keeps the key taken: what was done is not done again under it", async () => {
    await query(
      "break",
      "CREATE TRIGGER broken BEFORE UPDATE ON idempotency_key FOR EACH ROW EXECUTE FUNCTION refuse()",
      [],
    );
    let times = 0;
    const answer = async () => {
      times += 1;
      return jsonAnswer(201, { success: true });
    };
    await expect(answerOnce(requestOf("a"), answer)).rejects.toThrow("disk full");
    await query("mend", "DROP TRIGGER broken ON idempotency_key", []);
    const again = answerOnce(requestOf("a"), answer);
    await expect(again).rejects.toMatchObject({ code: "CONFLICT", retryAfterSeconds: 1 });
    expect(times).toBe(1);
  });

  test("has its key back after a quarter of an hour, as one whose process died", async () => {
    await query("age", "UPDATE idempotency_key SET created_at = now() - interval '16 minutes'", []);
    expect((await answerOnce(requestOf("a"), async () => jsonAnswer(201, {}))).status).toBe(201);
  });
});

test("an error is not kept: the next try is the first", async () => {
  await expect(answerOnce(requestOf("b"), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const answer = await answerOnce(requestOf("b"), async () => jsonAnswer(201, { n: 1 }));
  expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([201, null]);
  const replayed = await answerOnce(requestOf("b"), async () => jsonAnswer(500, {}));
  expect([replayed.status, await replayed.json(), replayed.headers.get("idempotency-replayed")]).toEqual([
    201,
    { n: 1 },
    "true",
  ]);
});
