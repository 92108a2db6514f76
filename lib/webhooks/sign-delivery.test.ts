import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newSecret, signDelivery } from "./sign-delivery.ts";

const body = '{"event":"execution.completed","data":{"flowName":"Größe 🚀 \\u0000"}}';
const message = { id: "dlv_01", event: "execution.completed", body, sentAt: new Date() };

test("a generated secret follows the Standard Webhooks specification, and is unique", () => {
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(newSecret());
});

// Proves events.standard-webhooks
test("a receiver of the Standard Webhooks specification accepts signatures with a generated secret", () => {
  const secret = newSecret();
  expect(new Webhook(secret).verify(body, signDelivery(secret, message))).toEqual(JSON.parse(body));
});

// Proves events.standard-webhooks
test.each(["a secret of one's own", "größe", "x"])(
  "a receiver that uses the characters of %j as its key accepts",
  (secret) => {
    const receiver = new Webhook(Buffer.from(secret), { format: "raw" });
    expect(receiver.verify(body, signDelivery(secret, message))).toEqual(JSON.parse(body));
  },
);

test.each(["whsec_", "whsec_not_base64", "whsec_a"])("%s is not base64: its characters are the key", (secret) => {
  const receiver = new Webhook(Buffer.from(secret), { format: "raw" });
  expect(receiver.verify(body, signDelivery(secret, message))).toEqual(JSON.parse(body));
});

test("such a receiver refuses another body, another secret and an old time", () => {
  const secret = newSecret();
  const headers = signDelivery(secret, message);
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  const old = signDelivery(secret, { ...message, sentAt: new Date(Date.now() - 600_000) });
  expect(() => new Webhook(secret).verify(body, old)).toThrow();
});

// Proves events.signature
test.each(["plain", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])(
  "X-Webhook-Signature is the HMAC of the body, keyed with the characters of %s",
  (secret) => {
    const headers = signDelivery(secret, message);
    expect(headers["x-webhook-signature"]).toBe(createHmac("sha256", secret).update(body).digest("hex"));
  },
);

// Proves events.headers
test("both families of headers have the same id, time and event", () => {
  const headers = signDelivery("secret", { ...message, sentAt: new Date("2026-01-31T10:00:00.900Z") });
  expect(headers).toMatchObject({
    "x-webhook-id": "dlv_01",
    "webhook-id": "dlv_01",
    "x-webhook-timestamp": "1769853600",
    "webhook-timestamp": "1769853600",
    "x-webhook-event": "execution.completed",
  });
});
