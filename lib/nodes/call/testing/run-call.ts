// Runs calls without a server.
import type { NodeContext } from "../../define.ts";
import { type FakeAnswer, fakeRun } from "../../http-request/fake-context.ts";
import { call } from "../call.ts";

/** A JSON answer. */
export const json = (body: unknown, status = 200): FakeAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
export const token = { type: "bearer", data: { token: "123:secret-token" } };

/** Runs a call with these answers and a bearer credential. */
export async function runCall(
  config: object,
  answers: readonly FakeAnswer[] = [json({})],
  overrides: Partial<NodeContext> = {},
) {
  const fake = fakeRun(answers, token);
  const begun = await call.run(call.config.parse(config), { ...fake.context, ...overrides });
  if (!("output" in begun)) throw new Error("a call has its result at once");
  return { output: begun.output, sent: fake.sent };
}
