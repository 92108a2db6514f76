// Signed JSON Web Tokens (RFC 7519). The key decides which algorithms are accepted, never the token.
import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { parseOwnJson } from "#lib/json/parse-json.ts";
import { jsonInTurns } from "#lib/json/write-json.ts";
import { NodeFailure } from "../define.ts";
import { refused } from "./bytes.ts";
import { type SigningKey, signWith, verifyWith } from "./key.ts";

export const tokenAlgorithms = [
  ...["HS256", "HS384", "HS512", "RS256", "RS384", "RS512"],
  ...["PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"],
] as const;

const curves: Readonly<Record<string, string>> = { prime256v1: "ES256", secp384r1: "ES384", secp521r1: "ES512" };

/** The algorithms for a key, the default first. */
function algorithmsOf(key: SigningKey): readonly string[] {
  if ("secret" in key) return ["HS256", "HS384", "HS512"];
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key.pair;
  if (type === "rsa") return ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
  if (type === "rsa-pss") return ["PS256", "PS384", "PS512"];
  if (type === "ed25519" || type === "ed448") return ["EdDSA"];
  const byCurve = curves[details?.namedCurve ?? ""];
  return byCurve === undefined ? [] : [byCurve];
}

/** Node's parameters of an algorithm, and its hash function. */
function formOf(pair: KeyObject, algorithm: string) {
  const hash = algorithm === "EdDSA" ? null : `sha${algorithm.slice(2)}`;
  const padding = algorithm.startsWith("PS") ? { padding: 6, saltLength: Number(algorithm.slice(2)) / 8 } : {};
  // JWT uses two fixed-length numbers, not DER.
  return { hash, key: { key: pair, dsaEncoding: "ieee-p1363" as const, ...padding } };
}

interface Claimed {
  readonly algorithm?: string | undefined;
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  readonly nowMs: number;
}

/** Signs a token with these claims; the issuer, audience and expiry given replace theirs. Throws NodeFailure. */
export async function signToken(
  key: SigningKey,
  claims: unknown,
  { algorithm, issuer, audience, nowMs, expiresInMs }: Claimed & { readonly expiresInMs?: number | undefined },
): Promise<string> {
  if (!isJsonObject(claims)) throw refused("value", "must be an object of claims");
  const known = algorithmsOf(key);
  const alg = algorithm ?? known[0];
  if (alg === undefined || !known.includes(alg)) throw refused("algorithm", `this key signs with ${list(known)}`);
  const iat = Math.floor(nowMs / 1_000);
  const payload = {
    iat,
    ...claims,
    ...(issuer === undefined ? {} : { iss: issuer }),
    ...(audience === undefined ? {} : { aud: audience }),
    ...(expiresInMs === undefined ? {} : { exp: iat + Math.ceil(expiresInMs / 1_000) }),
  };
  const signed = `${await encode({ alg, typ: "JWT" })}.${await encode(payload)}`;
  return `${signed}.${(await signatureOf(key, alg, Buffer.from(signed))).toString("base64url")}`;
}

async function signatureOf(key: SigningKey, algorithm: string, bytes: Buffer): Promise<Buffer> {
  if ("secret" in key)
    return createHmac(`sha${algorithm.slice(2)}`, key.secret)
      .update(bytes)
      .digest();
  const { hash, key: form } = formOf(key.pair, algorithm);
  return await signWith(hash, bytes, form);
}

/** How much clocks may differ. */
const leewaySeconds = 60;

/**
 * Verifies a token and returns its claims. Throws NodeFailure: TOKEN_INVALID, including for another signer, issuer or
 * audience; TOKEN_EXPIRED, including for one that is not valid yet.
 */
export async function verifyToken(key: SigningKey, token: unknown, expected: Claimed): Promise<JsonObject> {
  const [header = "", payload = "", signature = "", ...more] = typeof token === "string" ? token.split(".") : [];
  const { alg, crit } = (await decode(header)) ?? {};
  const claims = await decode(payload);
  const known = expected.algorithm === undefined ? algorithmsOf(key) : [expected.algorithm];
  if (more.length > 0 || claims === null || typeof alg !== "string") throw invalid("it is not a signed token");
  if (!known.includes(alg) || !algorithmsOf(key).includes(alg)) throw invalid(`it must be signed with ${list(known)}`);
  if (crit !== undefined) throw invalid("it needs extensions that are not known here");
  const bytes = Buffer.from(`${header}.${payload}`);
  if (!(await isSigned(key, alg, bytes, Buffer.from(signature, "base64url")))) throw invalid("another key signed it");
  requireClaims(claims, expected);
  return claims;
}

async function isSigned(key: SigningKey, algorithm: string, bytes: Buffer, signature: Buffer): Promise<boolean> {
  if ("pair" in key) {
    const { hash, key: form } = formOf(key.pair, algorithm);
    return await verifyWith(hash, bytes, form, signature);
  }
  const own = await signatureOf(key, algorithm, bytes);
  return own.length === signature.length && timingSafeEqual(own, signature);
}

function requireClaims({ exp, nbf, iss, aud }: JsonObject, { issuer, audience, nowMs }: Claimed): void {
  const now = nowMs / 1_000;
  for (const [name, time] of Object.entries({ exp, nbf })) {
    if (time !== undefined && typeof time !== "number") throw invalid(`its "${name}" is not a time`);
  }
  if (typeof exp === "number" && exp <= now - leewaySeconds) throw expiredToken("The token has expired");
  if (typeof nbf === "number" && nbf > now + leewaySeconds) throw expiredToken("The token is not valid yet");
  if (issuer !== undefined && iss !== issuer) throw invalid("it has another issuer");
  if (audience !== undefined && ![aud].flat().includes(audience)) throw invalid("it has another audience");
}

async function encode(value: object): Promise<string> {
  return Buffer.from(await jsonInTurns(value)).toString("base64url");
}

async function decode(part: string): Promise<JsonObject | null> {
  try {
    const read = await parseOwnJson(Buffer.from(part, "base64url").toString());
    return isJsonObject(read) ? read : null;
  } catch {
    return null;
  }
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "an unknown algorithm" : names.join(", ");
}

function invalid(reason: string): NodeFailure {
  return new NodeFailure("TOKEN_INVALID", `The token is not valid: ${reason}`, { field: "value" });
}

function expiredToken(message: string): NodeFailure {
  return new NodeFailure("TOKEN_EXPIRED", message, { field: "value" });
}
