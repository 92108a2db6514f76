import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { scopes as allScopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import type { NewApiKey } from "#lib/contract/accounts/api-keys.ts";
import type { PageAsked } from "#lib/contract/query.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, nowMs, timeNow } from "#lib/platform/clock.ts";
import { newestFirst, pageOf } from "#lib/platform/database/page.ts";
import { database } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import type { ApiKeyModel } from "#lib/platform/prisma/models.ts";
import { type Actor, requireOwnScopes } from "./actor.ts";

/** A page of the workspace's unrevoked API keys, newest first. */
export async function listApiKeys(actor: Actor, asked: PageAsked) {
  const where = { workspaceId: actor.workspaceId, revokedAt: null };
  const { apiKey } = database();
  return await pageOf(asked, apiKey.count({ where }), async (part) => {
    const rows = await apiKey.findMany({ where, ...newestFirst, ...part });
    return rows.map(showApiKey);
  });
}

/** The maximum number of keys per workspace. Revoked ones do not count. */
const keysMax = 1_000;

/** Creates an API key; the answer contains the key itself, once. Throws FORBIDDEN, VALIDATION_ERROR. */
export async function createApiKey(actor: Actor, { name, scopes = [...allScopes], expiresAt = null }: NewApiKey) {
  if (expiresAt !== null && expiresAt.getTime() <= nowMs()) {
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
      details: { expiresAt: "expiresAt must lie in the future" },
    });
  }
  requireOwnScopes(actor, scopes);
  const key = newApiKey();
  const columns = { name, hash: hashOfKey(key), prefix: shownPrefix(key), scopes, expiresAt };
  const row = await database().$transaction(async (tx) => {
    if ((await tx.apiKey.count({ where: { workspaceId: actor.workspaceId, revokedAt: null } })) >= keysMax) {
      const most = keysMax.toLocaleString("en-US");
      throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
        details: { name: `a workspace may have at most ${most} API keys: revoke one first` },
      });
    }
    const made = await tx.apiKey.create({ data: { id: newId("key"), workspaceId: actor.workspaceId, ...columns } });
    await recordChange(tx, actor, { action: "key.created", id: made.id, name, after: { scopes, expiresAt } });
    return made;
  });
  return { ...showApiKey(row), key };
}

/**
 * Issues a new secret for an API key; the previous one works for `graceSeconds` more. Whoever rotates a key could use
 * it, so all of its scopes are required. Throws NOT_FOUND, FORBIDDEN, INVALID_STATUS.
 */
export async function rotateApiKey(actor: Actor, id: string, graceSeconds: number) {
  if (!isId("key", id)) throw notFound("API key");
  const key = newApiKey();
  const row = await database().$transaction(async (tx) => {
    const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM api_key WHERE id = ${id} AND workspace_id = ${actor.workspaceId} AND revoked_at IS NULL
      FOR UPDATE`;
    if (locked.length === 0) throw notFound("API key");
    const before = await tx.apiKey.findUniqueOrThrow({ where: { id } });
    requireOwnScopes(actor, before.scopes);
    const now = nowMs();
    if (before.expiresAt !== null && before.expiresAt.getTime() <= now) {
      throw new AppError("INVALID_STATUS", "The key has expired: make a new one", {
        details: { currentStatus: "expired" },
      });
    }
    const previous =
      graceSeconds === 0
        ? { previousHash: null, previousUntil: null }
        : { previousHash: before.hash, previousUntil: new Date(now + graceSeconds * 1_000) };
    await recordChange(tx, actor, { action: "key.rotated", id, name: before.name, after: { graceSeconds } });
    return await tx.apiKey.update({
      where: { id },
      data: { hash: hashOfKey(key), prefix: shownPrefix(key), ...previous },
    });
  });
  return { ...showApiKey(row), key };
}

/** Revokes an API key, including the old secret of a rotation. Throws NOT_FOUND. */
export async function revokeApiKey(actor: Actor, id: string): Promise<null> {
  const where = { id, workspaceId: actor.workspaceId, revokedAt: null };
  // The row stays: flows name the key that created their versions.
  if (!isId("key", id)) throw notFound("API key");
  await database().$transaction(async (tx) => {
    const [key] = await tx.apiKey.updateManyAndReturn({ where, data: { revokedAt: timeNow() } });
    if (key === undefined) throw notFound("API key");
    await recordChange(tx, actor, { action: "key.revoked", id, name: key.name });
  });
  return null;
}

/** An API key as the API shows it: without the key, of which only a hash is stored. */
function showApiKey(row: ApiKeyModel) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    expiresAt: row.expiresAt === null ? null : iso(row.expiresAt),
    lastUsedAt: row.lastUsedAt === null ? null : iso(row.lastUsedAt),
    createdAt: iso(row.createdAt),
  };
}

/** Recognizable in a leak, by people and by scanners. */
const keyPrefix = "mill_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomCharacters = 32;
const checksumCharacters = 6;
/** The form of a possible key, including an operator's own (BOOTSTRAP_API_KEY). */
const possibleKey = /^[\x21-\x7e]{32,200}$/;

/** A new key: prefix, 190 random bits in base 62, and their CRC-32, like GitHub's tokens. */
export function newApiKey(): string {
  let secret = "";
  // Rejects bytes above 247, which would favour the first letters of the alphabet.
  while (secret.length < randomCharacters) {
    for (const byte of randomBytes(randomCharacters)) {
      if (byte < 248 && secret.length < randomCharacters) secret += alphabet[byte % 62];
    }
  }
  return `${keyPrefix}${secret}_${checksum(secret)}`;
}

/** False for text that cannot be a key, which saves the look-up. */
export function isPossibleKey(text: string): boolean {
  return possibleKey.test(text) && (!text.startsWith(keyPrefix) || isGeneratedKey(text));
}

/** True for a key issued by this service, by its prefix and its checksum. */
export function isGeneratedKey(text: string): boolean {
  if (!text.startsWith(keyPrefix)) return false;
  const [secret = "", sum] = text.slice(keyPrefix.length).split("_");
  return sum === checksum(secret);
}

/** A key's stored hash. With 190 random bits it need not be slow. */
export function hashOfKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The prefix by which people recognize a key later. */
export function shownPrefix(key: string): string {
  return key.startsWith(keyPrefix) ? key.slice(0, keyPrefix.length + 4) : key.slice(0, 4);
}

function checksum(secret: string): string {
  let left = crc32(secret);
  let text = "";
  for (let index = 0; index < checksumCharacters; index += 1) {
    text = alphabet[left % 62] + text;
    left = Math.floor(left / 62);
  }
  return text;
}
