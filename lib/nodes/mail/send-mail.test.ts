import { expect, test } from "vitest";
import { cpuTime } from "#e2e/support/longest-turn.ts";
import { type MailRequest, NodeFailure } from "../define.ts";
import { fakeRun } from "../http-request/fake-context.ts";
import { sendMail } from "./send-mail.ts";

const config = { to: "Ann <ann@example.com>", subject: "Hello", text: "Hi" };

/** Runs the node with a server that first answers with these failures. */
async function send(given: object, failures: readonly NodeFailure[] = []) {
  const requests: MailRequest[] = [];
  const run = fakeRun();
  const context = {
    ...run.context,
    sendMail: async (mail: MailRequest) => {
      const failure = failures[requests.push(mail) - 1];
      if (failure !== undefined) throw failure;
      return { messageId: "<1@b>", accepted: [...mail.to], rejected: [] };
    },
  };
  const result = await Promise.resolve(sendMail.run(sendMail.config.parse(given), context)).catch((error) => error);
  return { result, requests, slept: run.slept, logs: run.logs };
}

test("sends to one address or a list, with the step's key", async () => {
  const { result, requests } = await send({ ...config, cc: ["a@b", "c@d"], retry: {} });
  expect(requests).toEqual([
    {
      from: undefined,
      to: ["Ann <ann@example.com>"],
      cc: ["a@b", "c@d"],
      bcc: [],
      replyTo: undefined,
      subject: "Hello",
      text: "Hi",
      html: undefined,
      credential: undefined,
      key: "exec_1.call",
      timeoutMs: 30_000,
    },
  ]);
  expect(result.output).toEqual({ messageId: "<1@b>", accepted: ["Ann <ann@example.com>"], rejected: [] });
});

test("retries temporary refusals with the same key, as often as configured", async () => {
  const later = new NodeFailure("MAIL_DEFERRED", "busy");
  const retry = { maxRetries: 2, retryDelay: 100, backoff: "fixed" };
  const retried = await send({ ...config, retry }, [later, new NodeFailure("TIMEOUT", "slow")]);
  expect([retried.result.output.messageId, new Set(retried.requests.map(({ key }) => key)).size]).toEqual(["<1@b>", 1]);
  expect(retried.slept).toEqual([100, 100]);
  expect(retried.logs[0]).toMatchObject({ level: "warning", message: "busy. Retry 1 of 2 in 100 ms" });
  expect((await send({ ...config, retry }, [later, later, later])).result).toBe(later);
});

test("does not retry permanent refusals", async () => {
  const refused = new NodeFailure("MAIL_REFUSED", "no such user");
  const { result, requests } = await send({ ...config, retry: { maxRetries: 3 } }, [refused]);
  expect([result, requests.length]).toEqual([refused, 1]);
});

test.each([
  "ann",
  "ann@",
  "@b",
  "a@b, c@d",
  "a@b\nBcc: c@d",
  "Ann <a@b",
  "Ann <a@b> c",
  "a\u0000@b",
  "<>",
  " ",
  "a@b;c@d",
  `${"x".repeat(600)}@b`,
])("%j is no address", (to) => {
  expect(sendMail.config.safeParse({ ...config, to }).success).toBe(false);
});

test("a list of too many addresses is refused without reading them", () => {
  const to = Array.from({ length: 340_000 }, () => "");
  expect(cpuTime(() => sendMail.config.safeParse({ ...config, to }))).toBeLessThan(100);
  const issues = sendMail.config.safeParse({ ...config, to }).error?.issues;
  expect(issues).toMatchObject([{ path: ["to"], message: "must be an address, or a list of at most 100" }]);
});

test("needs a text or HTML, and a one-line subject", () => {
  expect(sendMail.problem?.({ to: "a@b", subject: "s" })).toMatchObject({ path: "text" });
  expect(sendMail.problem?.({ to: "a@b", subject: "s", html: "<p>" })).toBeNull();
  expect(sendMail.config.safeParse({ ...config, subject: "a\r\nBcc: c@d" }).success).toBe(false);
});
