import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignaturePreset } from "#lib/engine/flow.ts";

/** An `hmac` credential's data; every value is text. */
export type HmacData = Readonly<Record<string, string>>;

/** A request's headers, by lower-case names. */
export interface RequestHeaders {
  get(name: string): string | null;
}

/** A request as its sender signed it. */
export interface SignedRequest {
  readonly headers: RequestHeaders;
  /** The exact bytes. */
  readonly body: Buffer;
  readonly nowMs: number;
}

/** How a sender signs. */
interface Scheme {
  readonly header: string;
  readonly encoding: "hex" | "base64";
  /** The text before a signature. */
  readonly prefix: string;
  /** `timed`: `t=<seconds>,v1=<signature>` over `<seconds>.<body>`; `standard`: the Standard Webhooks headers. */
  readonly form: "plain" | "timed" | "standard";
  /** How many seconds a signed time may differ from now; 0: any. */
  readonly toleranceSeconds: number;
}

/** A signature in a request: it covers `before` and the body. */
interface Claim {
  readonly signatures: readonly string[];
  readonly before: string;
  readonly seconds: string | null;
}

const presets: Record<SignaturePreset, Scheme> = {
  github: { header: "x-hub-signature-256", encoding: "hex", prefix: "sha256=", form: "plain", toleranceSeconds: 0 },
  shopify: { header: "x-shopify-hmac-sha256", encoding: "base64", prefix: "", form: "plain", toleranceSeconds: 0 },
  stripe: { header: "stripe-signature", encoding: "hex", prefix: "v1=", form: "timed", toleranceSeconds: 300 },
  "standard-webhooks": {
    header: "webhook-signature",
    encoding: "base64",
    prefix: "v1,",
    form: "standard",
    toleranceSeconds: 300,
  },
};

/**
 * Null if the request has a valid and timely signature with this secret; otherwise the reason, for the server's log.
 */
export function signatureProblem(
  data: HmacData,
  preset: SignaturePreset | null,
  request: SignedRequest,
): string | null {
  const scheme = schemeOf(data, preset);
  const claim = readClaim(scheme, request.headers);
  if (typeof claim === "string") return claim;
  const expected = createHmac("sha256", keyOf(data.secret ?? "", scheme))
    .update(claim.before)
    .update(request.body)
    .digest();
  const matches = claim.signatures.filter((signature) => isSame(signature, scheme.encoding, expected));
  if (matches.length === 0) return `the signature in ${scheme.header} does not match`;
  if (scheme.toleranceSeconds === 0 || claim.seconds === null) return null;
  const apart = Math.abs(request.nowMs / 1_000 - Number(claim.seconds));
  return apart <= scheme.toleranceSeconds ? null : `it was signed ${Math.round(apart)} seconds from now`;
}

/** The preset's scheme, or the one that the credential describes. A tolerance requires a signed time. */
function schemeOf(data: HmacData, preset: SignaturePreset | null): Scheme {
  const given = data.toleranceSeconds === undefined ? undefined : Number(data.toleranceSeconds);
  if (preset !== null) {
    const scheme = presets[preset];
    return { ...scheme, toleranceSeconds: given ?? scheme.toleranceSeconds };
  }
  const toleranceSeconds = given ?? 0;
  const form = toleranceSeconds > 0 ? "timed" : "plain";
  return {
    header: (data.header ?? "x-webhook-signature").toLowerCase(),
    encoding: data.encoding === "base64" ? "base64" : "hex",
    prefix: data.prefix ?? (form === "timed" ? "v1=" : ""),
    form,
    toleranceSeconds,
  };
}

function readClaim({ header, prefix, form }: Scheme, headers: RequestHeaders): Claim | string {
  const value = headers.get(header)?.trim();
  if (value === undefined || value === "") return `the header ${header} is missing`;
  const parts = form === "plain" ? [value] : value.split(form === "timed" ? "," : " ").map((part) => part.trim());
  const signatures = parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length).trim());
  if (signatures.length === 0) return `the header ${header} has no signature that starts with "${prefix}"`;
  if (form === "plain") return { signatures, before: "", seconds: null };

  const isTimed = form === "timed";
  const seconds = isTimed ? parts.find((part) => part.startsWith("t="))?.slice(2) : headers.get("webhook-timestamp");
  const id = isTimed ? "" : `${headers.get("webhook-id") ?? ""}.`;
  if (!seconds || !/^\d{1,12}$/.test(seconds)) return "no time was signed";
  return { signatures, before: `${id}${seconds}.`, seconds };
}

/** Standard Webhooks encodes a key's bytes as `whsec_` and base64; all others sign with the text itself. */
function keyOf(secret: string, { form }: Scheme): Buffer {
  const encoded = form === "standard" ? /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret)?.[1] : undefined;
  return encoded === undefined ? Buffer.from(secret, "utf8") : Buffer.from(encoded, "base64");
}

const written = { hex: /^[0-9a-f]{64}$/i, base64: /^[A-Za-z0-9+/]{43}=?$/ };

function isSame(signature: string, encoding: "hex" | "base64", expected: Buffer): boolean {
  return written[encoding].test(signature) && timingSafeEqual(Buffer.from(signature, encoding), expected);
}
