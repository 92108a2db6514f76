import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { crypto } from "./crypto.ts";
import type { NodeCredential } from "./define.ts";
import { findConfigProblems } from "./registry.ts";
import { asNode, runNodeAlone } from "./testing/run-alone.ts";

const nowMs = Date.parse("2026-01-31T10:00:00Z");

/** The node's result with a credential with this data; a text is the value of a `secret`. */
async function outputOf(config: object, key?: string | Record<string, string>, at = nowMs): Promise<unknown> {
  const data = typeof key === "string" ? { value: key } : (key ?? {});
  const type = typeof key === "string" ? "secret" : "custom";
  const credential = async (name: string): Promise<NodeCredential> => ({ name, type, data, allowedHosts: [] });
  const given = key === undefined ? config : { ...config, credential: "key" };
  const { output } = await runNodeAlone(asNode(crypto), given, "the input", { credential, now: () => at });
  return output;
}

function pairOf(type: "rsa" | "ec" | "ed25519", options: object = {}): Record<string, string> {
  const pem = {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  };
  return generateKeyPairSync(type as "rsa", { ...pem, ...options } as never) as never;
}

const pairs = {
  rsa: pairOf("rsa", { modulusLength: 2_048 }),
  ec: pairOf("ec", { namedCurve: "prime256v1" }),
  ed25519: pairOf("ed25519"),
};
const jwtKey = "a shared secret of some length";

describe("a hash", () => {
  test.each([
    ["sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["sha1", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    ["md5", "900150983cd24fb0d6963f7d28e17f72"],
  ])("matches the standard: %s", async (algorithm, hash) => {
    expect(await outputOf({ action: "hash", value: "abc", algorithm })).toBe(hash);
    expect(await outputOf({ action: "hash", value: "616263", inputEncoding: "hex", algorithm })).toBe(hash);
  });

  test("hashes the input by default, and other values as JSON", async () => {
    const hash = (value: unknown) => outputOf({ action: "hash", value, encoding: "base64url" });
    expect(await outputOf({ action: "hash" })).toHaveLength(64);
    expect(await hash({ a: [1, null] })).toBe(await hash('{"a":[1,null]}'));
    expect(await hash("\u0000")).not.toBe(await hash(""));
  });

  test.each([
    ["half a character", { value: "\ud800" }],
    ["what is not in its encoding", { value: "xyz", inputEncoding: "hex" }],
    ["a token's algorithm", { value: "abc", algorithm: "RS256" }],
  ])("is refused for %s", async (_, config) => {
    await expect(outputOf({ action: "hash", ...config })).rejects.toMatchObject({ code: "CRYPTO_INPUT" });
  });
});

describe("a signature", () => {
  test("is an HMAC with a shared secret", async () => {
    // RFC 4231, test case 2.
    const hmac = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    const value = "what do ya want for nothing?";
    expect(await outputOf({ action: "hmac", value }, "Jefe")).toBe(hmac);
    expect(await outputOf({ action: "sign", value }, { secret: "Jefe" })).toBe(hmac);
    expect(await outputOf({ action: "verify", value, signature: hmac }, "Jefe")).toBe(true);
    expect(await outputOf({ action: "verify", value, signature: hmac.replace("5", "6") }, "Jefe")).toBe(false);
    expect(await outputOf({ action: "verify", value, signature: "" }, "Jefe")).toBe(false);
  });

  test.each(Object.entries(pairs))("with a private key is verified with the public one: %s", async (_, pair) => {
    const signature = await outputOf({ action: "sign", value: "order 17", encoding: "base64" }, pair);
    const verify = (value: string, key: Record<string, string>) =>
      outputOf({ action: "verify", value, signature, encoding: "base64" }, key);
    expect(await verify("order 17", { publicKey: pair.publicKey ?? "" })).toBe(true);
    expect(await verify("order 17", { privateKey: pair.privateKey ?? "" })).toBe(true);
    expect(await verify("order 18", pair)).toBe(false);
  });

  test("needs a suitable key", async () => {
    const refusal = { code: "CREDENTIAL_TYPE", field: "credential" };
    await expect(outputOf({ action: "hmac" }, pairs.rsa.publicKey)).rejects.toMatchObject(refusal);
    await expect(outputOf({ action: "sign" }, pairs.rsa.publicKey)).rejects.toMatchObject(refusal);
    await expect(outputOf({ action: "sign" }, { other: "x" })).rejects.toMatchObject(refusal);
    for (const publicKey of ["MIIBIjANBgkq", '{"kty": "RSA", "n": "AQAB", "e": "AQAB"}']) {
      await expect(outputOf({ action: "verify", signature: "00" }, { publicKey })).rejects.toMatchObject(refusal);
      await expect(outputOf({ action: "jwt-verify" }, { publicKey, secret: "x" })).rejects.toMatchObject(refusal);
    }
    await expect(outputOf({ action: "sign" }, pairOf("rsa", { modulusLength: 512 }))).resolves.toBeTypeOf("string");
    const short = outputOf({ action: "sign", algorithm: "sha512" }, pairOf("rsa", { modulusLength: 512 }));
    await expect(short).rejects.toMatchObject(refusal);
  });
});

describe("encryption", () => {
  const key = `${"00".repeat(31)}01`;
  const encrypt = (value: unknown) => outputOf({ action: "encrypt", value }, key);
  const decrypt = (value: unknown, by = key) => outputOf({ action: "decrypt", value }, by);

  test.each([["text"], [""], ["\u0000 and é"], [{ a: [1, null] }], [17], [null]])("gives %j back", async (value) => {
    expect(await decrypt(await encrypt(value))).toEqual(value);
  });

  test("reads its key in hexadecimal, base64 and base64url", async () => {
    const bytes = Buffer.from(key, "hex");
    const sealed = await encrypt("x");
    expect(await decrypt(sealed, bytes.toString("base64"))).toBe("x");
    expect(await decrypt(sealed, bytes.toString("base64url"))).toBe("x");
    await expect(decrypt(sealed, "a passphrase")).rejects.toMatchObject({ code: "CREDENTIAL_TYPE" });
  });

  test("is different each time, and detects any change", async () => {
    const sealed = String(await encrypt("x"));
    expect(await encrypt("x")).not.toBe(sealed);
    const parts = sealed.split(".");
    const changed = parts.map((_, index) =>
      parts.map((part, place) => (place === index ? `${part}AAAA` : part)).join("."),
    );
    for (const text of [...changed, "", "a.b.c", 17, parts.slice(0, 4).join(".")]) {
      await expect(decrypt(text)).rejects.toMatchObject({ code: "DECRYPTION_FAILED" });
    }
    await expect(decrypt(sealed, "11".repeat(32))).rejects.toMatchObject({ code: "DECRYPTION_FAILED" });
  });
});

describe("a token", () => {
  const sign = (config: object, key: string | Record<string, string> = jwtKey) =>
    outputOf({ action: "jwt-sign", value: { sub: "ada" }, ...config }, key);
  const verify = (token: unknown, config: object = {}, key: string | Record<string, string> = jwtKey, at = nowMs) =>
    outputOf({ action: "jwt-verify", value: token, ...config }, key, at);

  test("matches the standard's example", async () => {
    const token = String(await sign({ expiresInMs: 60_000, issuer: "us", audience: "them" }));
    const [header = "", payload = "", signature] = token.split(".");
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({ alg: "HS256", typ: "JWT" });
    expect(signature).toBe(createHmac("sha256", jwtKey).update(`${header}.${payload}`).digest("base64url"));
    const iat = nowMs / 1_000;
    const claims = { sub: "ada", iat, exp: iat + 60, iss: "us", aud: "them" };
    expect(await verify(token, { issuer: "us", audience: "them" })).toEqual(claims);
  });

  test("has the configured issuer, audience and expiry, whatever its claims say", async () => {
    const value = { iss: "eve", aud: "all", exp: nowMs };
    const token = await sign({ value, expiresInMs: 60_000, issuer: "us", audience: "them" });
    expect(await verify(token)).toMatchObject({ iss: "us", aud: "them", exp: nowMs / 1_000 + 60 });
    expect(await verify(await sign({ value }))).toMatchObject(value);
  });

  test.each([
    ["rsa", "RS256"],
    ["rsa", "PS512"],
    ["ec", "ES256"],
    ["ed25519", "EdDSA"],
  ] as const)("is signed by a key of a pair: %s, %s", async (kind, algorithm) => {
    const token = await sign({ algorithm }, pairs[kind]);
    expect(await verify(token, {}, { publicKey: pairs[kind].publicKey ?? "" })).toMatchObject({ sub: "ada" });
    await expect(sign({ algorithm: "HS256" }, pairs[kind])).rejects.toMatchObject({ code: "CRYPTO_INPUT" });
  });

  test("cannot choose how it is verified", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${part({ alg: "none" })}.${part({ sub: "eve" })}.`;
    // Signed with the public key as if it were a shared secret.
    const publicKey = pairs.rsa.publicKey ?? "";
    const content = `${part({ alg: "HS256" })}.${part({ sub: "eve" })}`;
    const forged = `${content}.${createHmac("sha256", publicKey).update(content).digest("base64url")}`;
    for (const token of [unsigned, forged, "a.b.c", "", `${await sign({})}.x`, 17]) {
      await expect(verify(token, {}, { publicKey })).rejects.toMatchObject({ code: "TOKEN_INVALID" });
    }
    await expect(verify(unsigned)).rejects.toMatchObject({ code: "TOKEN_INVALID" });
    await expect(verify(await sign({}), { algorithm: "HS512" })).rejects.toMatchObject({ code: "TOKEN_INVALID" });
  });

  test("is refused if it needs an extension, as the standard demands", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const content = `${part({ alg: "HS256", crit: ["b64"], b64: false })}.${part({ sub: "ada" })}`;
    const token = `${content}.${createHmac("sha256", jwtKey).update(content).digest("base64url")}`;
    await expect(verify(token)).rejects.toMatchObject({ code: "TOKEN_INVALID" });
  });

  test("is refused before or after its validity, and for another issuer or audience", async () => {
    const token = await sign({ expiresInMs: 60_000, issuer: "us", audience: "them" });
    await expect(verify(token, {}, jwtKey, nowMs + 60_000)).resolves.toBeDefined();
    await expect(verify(token, {}, jwtKey, nowMs + 121_000)).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
    const early = await sign({ value: { nbf: nowMs / 1_000 + 3_600 } });
    await expect(verify(early)).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
    await expect(verify(token, { issuer: "you" })).rejects.toMatchObject({ code: "TOKEN_INVALID" });
    await expect(verify(token, { audience: "you" })).rejects.toMatchObject({ code: "TOKEN_INVALID" });
    await expect(verify(await sign({ value: { exp: "never" } }))).rejects.toMatchObject({ code: "TOKEN_INVALID" });
  });
});

test("random values have the requested length, and are never the same", async () => {
  const some = () => outputOf({ action: "random", length: 5 });
  expect(await some()).toMatch(/^[0-9a-f]{10}$/);
  expect(await some()).not.toBe(await some());
  expect(await outputOf({ action: "uuid" })).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
});

test("only actions that need a key require one", () => {
  expect(findConfigProblems("crypto", { action: "hmac" })).toMatchObject([{ path: "credential" }]);
  expect(findConfigProblems("crypto", { action: "verify", credential: "c" })).toMatchObject([{ path: "signature" }]);
  expect(findConfigProblems("crypto", { action: "uuid" })).toEqual([]);
});
