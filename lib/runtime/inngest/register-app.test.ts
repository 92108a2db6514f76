// An Inngest server of one's own learns of this app's functions, also after it has forgotten them.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { keepRegistered, registerAgain } from "./register-app.ts";

let count = 0;
let refuses = true;

beforeAll(() => {
  vi.useFakeTimers();
  const secrets = { AUTH_SECRET: "a".repeat(32), ENCRYPTION_KEY: "e".repeat(32) };
  Object.assign(process.env, { DATABASE_URL: "postgresql://a:b@127.0.0.1/c", ...secrets });
  Object.assign(process.env, { INNGEST_DEV: "http://127.0.0.1:8288" });
  keepRegistered(async () => {
    count += 1;
    return refuses ? { status: 500 } : null;
  });
});
afterAll(() => vi.useRealTimers());
beforeEach(() => {
  count = 0;
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("a server that is not there yet is told again, ever more seldom", async () => {
  await pass(1_000 + 2_000 + 4_000 + 10);
  expect(count).toBe(3);
});

test("a server that knows the functions is told each minute all the same: it may have restarted", async () => {
  refuses = false;
  await pass(10_000);
  count = 0;
  await pass(3 * 60_000);
  expect(count).toBe(3);
});

test("a server that refuses events is told at once, but not with every event", async () => {
  await pass(10_000);
  count = 0;
  await registerAgain();
  await registerAgain();
  expect(count).toBe(1);
  await pass(5_001);
  await registerAgain();
  expect(count).toBe(2);
});
