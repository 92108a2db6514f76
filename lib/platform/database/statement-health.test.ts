import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type CuttingProxy, cuttingProxy } from "#e2e/support/cutting-proxy.ts";
import { inOwnDatabase } from "#e2e/support/own-database.ts";
import { pool, query, unavailable } from "../database.ts";
import { StatementHealth, statementsFail } from "./statement-health.ts";

let proxy: CuttingProxy;
inOwnDatabase();
beforeAll(async () => {
  proxy = await cuttingProxy(process.env.DATABASE_URL ?? "");
  process.env.DATABASE_URL = proxy.url;
});
afterAll(() => proxy.close());

const select = () => query("one", "SELECT 1 AS one", []);
const failure = (work: Promise<unknown>) => expect(work).rejects.toThrow();

test("connections closed while idle do not count as failures", async () => {
  const other = new pg.Client(process.env.DATABASE_URL);
  await other.connect();
  for (let turn = 0; turn < 3; turn++) {
    await select();
    const all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity";
    await other.query(`${all} WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    await expect.poll(() => pool().totalCount).toBe(0);
  }
  await other.end();
  expect(statementsFail()).toBe(false);
});

test("connections that break during statements are noticed, even if the next statement works", async () => {
  await select();
  expect(statementsFail()).toBe(false);
  for (let turn = 0; turn < 3; turn++) {
    proxy.arm(1);
    await failure(select());
    proxy.disarm();
    await select();
  }
  await expect.poll(statementsFail).toBe(true);
});

test("the log says once a minute why the database cannot be used, whoever notices", async () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const now = vi.spyOn(performance, "now");
  const full = "could not extend file: No space left on device";
  const fill = () =>
    failure(query("fill", `DO $$ BEGIN RAISE EXCEPTION '${full}' USING ERRCODE = '53100'; END $$`, []));
  await fill();
  await fill();
  const tooMany = Object.assign(new Error("sorry, too many clients already"), { code: "53300" });
  unavailable(tooMany);
  unavailable(Object.assign(new Error("could not serialize access"), { code: "40001" }));
  const away = "Can't reach database server";
  unavailable(Object.assign(new Error(`\nInvalid invocation:\n  data: "private"\n\n${away}\n`), { code: "P1001" }));
  const lines = () =>
    write.mock.calls.map(([line]) => JSON.parse(`${line}`)).map(({ message, code, reason }) => [message, code, reason]);
  const said = (code: string, reason: string) => ["The database cannot be used", code, reason];
  const once = [said("53100", full), said("53300", tooMany.message), said("P1001", away)];
  expect(lines()).toEqual(once);
  const later = performance.now() + 60_000;
  now.mockReturnValue(later);
  unavailable(tooMany);
  expect(lines()).toEqual([...once, said("53300", tooMany.message)]);
  now.mockRestore();
  write.mockRestore();
});

test("a few failures among many, or long ago, are ignored; refused data does not count", async () => {
  const health = new StatementHealth();
  for (let n = 0; n < 3; n++) health.note("failed", 0);
  expect([health.isFailing(0), health.isFailing(59_000), health.isFailing(61_000)]).toEqual([true, true, false]);
  for (let n = 0; n < 298; n++) health.note("done", 10_000);
  expect(health.isFailing(10_000)).toBe(false);
  health.note("failed", 70_000);
  expect(health.isFailing(70_000)).toBe(false);
});
