// The app registers its functions with a self-hosted Inngest server, and again after the server has forgotten them.
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

test("registration with an unreachable server is retried with a growing backoff", async () => {
  await pass(1_000 + 2_000 + 4_000 + 10);
  expect(count).toBe(3);
});

test("the app registers every minute even with a server that knows it, because it may have restarted", async () => {
  refuses = false;
  await pass(10_000);
  count = 0;
  await pass(3 * 60_000);
  expect(count).toBe(3);
});

test("the app registers at once with a server that refuses events, but not for every event", async () => {
  await pass(10_000);
  count = 0;
  await registerAgain();
  await registerAgain();
  expect(count).toBe(1);
  await pass(5_001);
  await registerAgain();
  expect(count).toBe(2);
});
