/** A delivery that is not signed with this secret, or is too old. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookError";
  }
}

/** A request's headers: `Headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the delivery's time may be from now, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Epoch milliseconds. */
  readonly now?: number | undefined;
}

const toleranceSecondsDefault = 300;

/**
 * Verifies a delivery by the Standard Webhooks specification, and parses it. `body`: the raw body, before any parsing.
 * Rejects with WebhookError for another secret, a changed body, or a delivery sent too long ago.
 */
export async function verifyWebhook(
  secret: string,
  body: string | Uint8Array,
  headers: WebhookHeaders,
  { toleranceSeconds = toleranceSecondsDefault, now = Date.now() }: VerifyOptions = {},
): Promise<unknown> {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const given = headerOf(headers, "webhook-signature");
  if (id === "" || timestamp === "" || given === "") throw new WebhookError("The signature's headers are missing");
  const seconds = Number(timestamp);
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(now / 1_000 - seconds) > toleranceSeconds) {
    throw new WebhookError("The delivery's time is too far from now");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const before = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(before.length + bytes.length);
  signed.set(before);
  signed.set(bytes, before.length);
  const key = await crypto.subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  for (const candidate of given.split(" ")) {
    const signature = candidate.startsWith("v1,") ? fromBase64(candidate.slice("v1,".length)) : null;
    // `verify` compares in constant time.
    if (signature !== null && (await crypto.subtle.verify("HMAC", key, signature, signed))) {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    }
  }
  throw new WebhookError("The signature does not match");
}

/** `whsec_` is followed by a key in base64; a secret that only looks like that is plain text. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (secret === "") throw new WebhookError("The secret is empty");
  const encoded = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : "";
  return fromBase64(encoded) ?? new TextEncoder().encode(secret);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.replace(/=+$/, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || plain.length % 4 === 1) return null;
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === "function") return (headers as { get(name: string): string | null }).get(name) ?? "";
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : "";
}
