import { createHmac, randomBytes } from "node:crypto";
import { ownerOf, seal, unseal } from "#lib/platform/seal.ts";

const standardPrefix = "whsec_";
const secretBytes = 32;

/** A secret in the form of the Standard Webhooks specification. */
export function newSecret(): string {
  return `${standardPrefix}${randomBytes(secretBytes).toString("base64")}`;
}

interface SignedMessage {
  readonly id: string;
  readonly event: string;
  /** The exact text that is sent. */
  readonly body: string;
  readonly sentAt: Date;
}

/**
 * The headers that authenticate a delivery: our own, over the body alone, and those of the Standard Webhooks
 * specification, over id, time and body.
 */
export function signDelivery(secret: string, { id, event, body, sentAt }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signature = createHmac("sha256", Buffer.from(secret, "utf8")).update(body, "utf8").digest("hex");
  const standard = createHmac("sha256", standardKey(secret)).update(`${id}.${timestamp}.${body}`, "utf8");
  return {
    "x-webhook-signature": signature,
    "x-webhook-id": id,
    "x-webhook-timestamp": timestamp,
    "x-webhook-event": event,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard.digest("base64")}`,
  };
}

/** `whsec_` is followed by a key in base64; a secret that only looks like that is plain text. */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(standardPrefix) ? secret.slice(standardPrefix.length) : "";
  const isBase64 =
    encoded !== "" && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && encoded.replace(/=+$/, "").length % 4 !== 1;
  return isBase64 ? Buffer.from(encoded, "base64") : Buffer.from(secret, "utf8");
}

/** A subscription's stored secret: sealed, and bound to its row. */
interface StoredSecret {
  readonly secret: Uint8Array;
  readonly keyVersion: number;
}

export function sealSecret(secret: string, workspaceId: string, subscriptionId: string) {
  const { ciphertext, keyVersion } = seal(secret, ownerOf(workspaceId, subscriptionId));
  return { secret: ciphertext, keyVersion };
}

/** Throws if the row was changed or sealed with an unknown encryption key. */
export function openSecret(stored: StoredSecret, workspaceId: string, subscriptionId: string): string {
  const { secret, keyVersion } = stored;
  return unseal({ ciphertext: new Uint8Array(secret), keyVersion }, ownerOf(workspaceId, subscriptionId));
}
