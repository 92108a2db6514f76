import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { SignaturePreset } from "#lib/engine/flow.ts";
import { signatureProblem } from "./verify-signature.ts";

const secret = "It's a Secret to Everybody";
const body = Buffer.from('{"a": 1,  "b": "ü"}');
const nowMs = 1_760_000_000_000;
const seconds = nowMs / 1_000;

function sign(text: string | Buffer, encoding: "hex" | "base64" = "hex", key: string | Buffer = secret): string {
  return createHmac("sha256", key).update(text).digest(encoding);
}

function problem(
  headers: Record<string, string>,
  {
    data = {},
    preset = null,
    sent = body,
  }: { data?: Record<string, string>; preset?: SignaturePreset | null; sent?: Buffer } = {},
) {
  return signatureProblem({ secret, ...data }, preset, { headers: new Headers(headers), body: sent, nowMs });
}

describe("a signature over the exact bytes of the body", () => {
  test("passes in hex, in either case, in the default header", () => {
    expect(problem({ "X-Webhook-Signature": sign(body) })).toBeNull();
    expect(problem({ "X-Webhook-Signature": sign(body).toUpperCase() })).toBeNull();
  });

  test("passes as the credential describes it", () => {
    const data = { header: "X-Sig", encoding: "base64", prefix: "hmac " };
    expect(problem({ "x-sig": `hmac ${sign(body, "base64")}` }, { data })).toBeNull();
    expect(problem({ "x-sig": sign(body, "base64") }, { data })).toMatch(/starts with "hmac "/);
    expect(problem({ "x-sig": `hmac ${sign(body)}` }, { data })).toMatch(/does not match/);
    expect(problem({ "x-webhook-signature": sign(body) }, { data })).toMatch(/missing/);
  });

  test.each([
    ["none", {}],
    ["an empty one", { "x-webhook-signature": "" }],
    ["one of another secret", { "x-webhook-signature": sign(body, "hex", "other") }],
    ["half of one", { "x-webhook-signature": sign(body).slice(0, 32) }],
    ["one with more behind it", { "x-webhook-signature": `${sign(body)}00` }],
    ["no hex at all", { "x-webhook-signature": "z".repeat(64) }],
  ])("%s is refused", (_, headers) => {
    expect(problem(headers)).not.toBeNull();
  });

  test("a body that differs by a space is refused", () => {
    expect(problem({ "x-webhook-signature": sign(body) }, { sent: Buffer.from(`${body} `) })).toMatch(/does not match/);
  });

  test("an empty body is signed too", () => {
    expect(problem({ "x-webhook-signature": sign("") }, { sent: Buffer.alloc(0) })).toBeNull();
  });
});

describe("a tolerance requires a signed time", () => {
  const data = { toleranceSeconds: "60" };
  const at = (time: number) => `t=${time},v1=${sign(`${time}.${body}`)}`;

  test("a time within it passes, before and after now", () => {
    for (const apart of [0, -60, 60]) {
      expect(problem({ "x-webhook-signature": at(seconds + apart) }, { data })).toBeNull();
    }
  });

  test("a time beyond it is refused", () => {
    for (const apart of [-61, 61]) {
      expect(problem({ "x-webhook-signature": at(seconds + apart) }, { data })).toMatch(/61 seconds/);
    }
  });

  test("an unsigned time, or none, is refused", () => {
    const replayed = at(seconds - 100).replace(`${seconds - 100}`, `${seconds}`);
    expect(problem({ "x-webhook-signature": replayed }, { data })).toMatch(/does not match/);
    expect(problem({ "x-webhook-signature": `v1=${sign(body)}` }, { data })).toMatch(/no time/);
    expect(problem({ "x-webhook-signature": sign(body) }, { data })).not.toBeNull();
    expect(problem({ "x-webhook-signature": `t=NaN,v1=${sign(`NaN.${body}`)}` }, { data })).toMatch(/no time/);
  });
});

describe("presets", () => {
  test("GitHub: the example of its documentation", () => {
    const headers = {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    };
    const sent = Buffer.from("Hello, World!");
    expect(problem(headers, { preset: "github", sent })).toBeNull();
    expect(problem(headers, { preset: "github" })).toMatch(/does not match/);
  });

  test("Shopify", () => {
    const headers = { "x-shopify-hmac-sha256": sign(body, "base64") };
    expect(problem(headers, { preset: "shopify" })).toBeNull();
  });

  test("Stripe: any one of several signatures, within five minutes by default", () => {
    const at = (time: number) => ({
      "stripe-signature": `t=${time},v1=${sign("old")},v1=${sign(`${time}.${body}`)},v0=${sign(body)}`,
    });
    expect(problem(at(seconds), { preset: "stripe" })).toBeNull();
    expect(problem(at(seconds - 301), { preset: "stripe" })).toMatch(/301 seconds/);
    expect(problem(at(seconds - 301), { preset: "stripe", data: { toleranceSeconds: "600" } })).toBeNull();
    expect(
      problem({ "stripe-signature": `t=${seconds},v0=${sign(`${seconds}.${body}`)}` }, { preset: "stripe" }),
    ).toMatch(/starts with "v1="/);
  });

  test("Standard Webhooks: a key in base64 or as text, over id and time", () => {
    const headersWith = (key: string | Buffer) => ({
      "webhook-id": "msg_1",
      "webhook-timestamp": `${seconds}`,
      "webhook-signature": `v1,${sign("x", "base64")} v1,${sign(`msg_1.${seconds}.${body}`, "base64", key)}`,
    });
    const bytes = Buffer.from("a key of twenty-four byte");
    const preset = "standard-webhooks";
    expect(problem(headersWith(secret), { preset })).toBeNull();
    expect(problem(headersWith(bytes), { preset, data: { secret: `whsec_${bytes.toString("base64")}` } })).toBeNull();
    expect(problem({ ...headersWith(secret), "webhook-id": "msg_2" }, { preset })).toMatch(/does not match/);
    expect(problem({ ...headersWith(secret), "webhook-timestamp": "" }, { preset })).toMatch(/no time/);
  });

  test("a preset's header is used, whatever the credential says", () => {
    const headers = { "x-hub-signature-256": `sha256=${sign(body)}` };
    expect(problem(headers, { preset: "github", data: { header: "X-Other", encoding: "base64" } })).toBeNull();
  });
});
