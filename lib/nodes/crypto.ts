import { createHash, randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import type { JsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { anyField } from "./config-fields.ts";
import { bytesOf, decoded, encodings, inputEncodings, refused } from "./crypto/bytes.ts";
import {
  type Digest,
  digests,
  encryptionKey,
  isSignatureOf,
  sharedSecret,
  signBytes,
  signingKey,
  verifyingKey,
} from "./crypto/key.ts";
import { decrypt, encrypt } from "./crypto/sealed.ts";
import { signToken, tokenAlgorithms, verifyToken } from "./crypto/token.ts";
import { defineNode, type NodeContext } from "./define.ts";

const actions = [
  ...(["hash", "hmac", "sign", "verify", "encrypt", "decrypt"] as const),
  ...(["uuid", "random", "jwt-sign", "jwt-verify"] as const),
] as const;
type Action = (typeof actions)[number];

const keyless: ReadonlySet<unknown> = new Set<Action>(["hash", "uuid", "random"]);
/** Actions with random results. */
const random: ReadonlySet<unknown> = new Set<Action>(["uuid", "random"]);
const yearMs = 366 * 24 * 3_600_000;

const config = z.object({
  action: z.enum(actions, `must be one of ${actions.join(", ")}`).meta({ title: "Action", description: "What to do." }),
  value: anyField({
    title: "Value",
    description: "The value to work on: text, or any value, used as JSON. Default: the input.",
  }),
  credential: z
    .string("must be a credential's name")
    .min(1, "must not be empty")
    .optional()
    .meta({ title: "Credential", description: "The name of the credential with the key.", format: "plain" }),
  algorithm: z
    .enum([...digests, ...tokenAlgorithms], "is not a known algorithm")
    .optional()
    .meta({
      title: "Algorithm",
      description: "The hash function, sha256 by default; for a token its algorithm, by default the key's.",
    }),
  encoding: z
    .enum(encodings, `must be one of ${encodings.join(", ")}`)
    .optional()
    .default("hex")
    .meta({ title: "Encoding", description: "How bytes are written: hashes, signatures, random bytes." }),
  inputEncoding: z
    .enum(inputEncodings, `must be one of ${inputEncodings.join(", ")}`)
    .optional()
    .default("utf8")
    .meta({ title: "Encoding of the value", description: "How text encodes bytes." }),
  signature: z
    .string("must be text")
    .optional()
    .meta({ title: "Signature", description: "The signature to verify, in the encoding." }),
  length: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(1_024, "must be at most 1024")
    .optional()
    .default(32)
    .meta({ title: "Length", description: "How many random bytes." }),
  expiresInMs: z
    .number("must be a number of milliseconds")
    .min(1_000, "must be at least 1000")
    .max(yearMs, `must be at most ${yearMs} (a year)`)
    .optional()
    .meta({ title: "Expires after", description: "Expiry of a signed token, in milliseconds. Default: never." }),
  issuer: z
    .string("must be text")
    .optional()
    .meta({ title: "Issuer", description: "The token's issuer: to set, or to require." }),
  audience: z
    .string("must be text")
    .optional()
    .meta({ title: "Audience", description: "The token's audience: to set, or to require." }),
});
type Config = z.output<typeof config>;

/** Hashes, signs, encrypts, and generates random values. */
export const crypto = defineNode({
  type: "crypto",
  name: "Crypto",
  keywords: ["hash", "hmac", "signature"],
  family: "data",
  icon: "key",
  iconPath:
    "M16.555 3.843l3.602 3.602a2.877 2.877 0 0 1 0 4.069l-2.643 2.643a2.877 2.877 0 0 1 -4.069 0l-.301 -.301l-6.558 6.558a2 2 0 0 1 -1.239 .578l-.175 .008h-1.172a1 1 0 0 1 -.993 -.883l-.007 -.117v-1.172a2 2 0 0 1 .467 -1.284l.119 -.13l.414 -.414h2v-2h2v-2l2.144 -2.144l-.301 -.301a2.877 2.877 0 0 1 0 -4.069l2.643 -2.643a2.877 2.877 0 0 1 4.069 0M15 9h.01",
  summary: ["{action:text}[ with {credential}]"],
  description: `Hashes, signs, verifies, encrypts and decrypts. It works on \`value\` (text, or any value as its JSON; the input by default). Keys come from \`credential\`. The
output is the resulting value.

- \`hash\`, \`hmac\`: text in \`encoding\`, with \`algorithm\` sha256, sha384, sha512, sha1 or md5.
- \`sign\`: a signature in \`encoding\`, by a private key (RSA, EC, Ed25519) or, with any other secret, an HMAC.
  \`verify\`: true or false.
- \`encrypt\`, \`decrypt\`: AES-256-GCM, as JSON Web Encryption. The key is 32 bytes in hexadecimal or base64.
- \`uuid\`: a random one. \`random\`: \`length\` random bytes in \`encoding\`.
- \`jwt-sign\`: a token with \`value\` as its claims. \`jwt-verify\`: the claims of the token in \`value\`; a token
  signed with another key, or an expired one, fails the node.

Example: \`{"action": "hmac", "value": "{{ $trigger.body.id }}", "credential": "shop"}\` gives 64 hexadecimal digits.`,
  effect: "none",
  handles: plainHandle,
  credentialNames: ({ credential }) => (typeof credential === "string" ? [credential] : []),
  unrepeatable: ({ action, credential }) => random.has(action) || (credential !== undefined && credential !== null),
  takesInput: ({ action, value }) => value === undefined && !random.has(action),
  config,
  example: { action: "hmac", value: "{{ $trigger.body.id }}", credential: "shop", encoding: "base64" },
  problem: missingField,
  run: async (given, context) => {
    const value = given.value === undefined ? context.input() : given.value;
    return { output: await actionsByName[given.action](value, given, context) };
  },
});

function missingField({ action, credential, signature }: JsonObject): { path: string; message: string } | null {
  const isMissing = (field: unknown) => field === undefined || field === null;
  if (!keyless.has(action) && isMissing(credential)) return { path: "credential", message: `is required to ${action}` };
  if (action === "verify" && isMissing(signature)) return { path: "signature", message: "is required to verify" };
  return null;
}

type Perform = (value: unknown, config: Config, context: NodeContext) => unknown;

const actionsByName: Readonly<Record<Action, Perform>> = {
  hash: async (value, given) =>
    createHash(digestOf(given))
      .update(await bytesOf(value, given.inputEncoding))
      .digest(given.encoding),
  hmac: async (value, given, context) => {
    const key = { secret: sharedSecret(await keyOf(given, context)) };
    return (await signBytes(key, digestOf(given), await bytesOf(value, given.inputEncoding))).toString(given.encoding);
  },
  sign: async (value, given, context) => {
    const key = signingKey(await keyOf(given, context));
    return (await signBytes(key, digestOf(given), await bytesOf(value, given.inputEncoding))).toString(given.encoding);
  },
  verify: async (value, given, context) => {
    const key = verifyingKey(await keyOf(given, context));
    const signature = decoded(given.signature ?? "", given.encoding, "signature");
    return await isSignatureOf(key, digestOf(given), await bytesOf(value, given.inputEncoding), signature);
  },
  encrypt: async (value, given, context) => {
    const key = encryptionKey(await keyOf(given, context));
    return encrypt(key, await bytesOf(value, given.inputEncoding), typeof value !== "string");
  },
  decrypt: async (value, given, context) => await decrypt(encryptionKey(await keyOf(given, context)), value),
  uuid: () => randomUUID(),
  random: (_, { length, encoding }) => randomBytes(length).toString(encoding),
  "jwt-sign": async (value, given, context) => {
    const key = signingKey(await keyOf(given, context));
    return await signToken(key, value, { ...given, nowMs: context.now() });
  },
  "jwt-verify": async (value, given, context) => {
    const key = verifyingKey(await keyOf(given, context));
    return await verifyToken(key, value, { ...given, nowMs: context.now() });
  },
};

async function keyOf({ credential }: Config, context: NodeContext) {
  if (credential === undefined) throw refused("credential", "is required");
  return await context.credential(credential);
}

function digestOf({ algorithm = "sha256" }: Config): Digest {
  const known = digests.find((digest) => digest === algorithm);
  if (known === undefined) throw refused("algorithm", `must be one of ${digests.join(", ")}`);
  return known;
}
