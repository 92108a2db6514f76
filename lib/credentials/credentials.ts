import { recordChange, recordStatement } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { type CredentialType, credentialData } from "#lib/contract/credential-types.ts";
import type { CredentialChanges, NewCredential } from "#lib/contract/credentials.ts";
import type { SearchedPage } from "#lib/contract/query.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath } from "#lib/engine/json.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { iso, nowMs, timeNow } from "#lib/platform/clock.ts";
import { containing } from "#lib/platform/containing.ts";
import { newestFirst, pageOf } from "#lib/platform/database/page.ts";
import { database } from "#lib/platform/database.ts";
import { isId, newId } from "#lib/platform/ids.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";
import type {
  CredentialModel,
  CredentialUpdateManyMutationInput,
  OAuthConnectionModel,
} from "#lib/platform/prisma/models.ts";
import { ownerOf, type Sealed, seal } from "#lib/platform/seal.ts";
import { newConnection, resetConnection, showConnection } from "./oauth/connection.ts";

/** A credential's row and its connection, both without secrets. */
type ShownRow = Omit<CredentialModel, "ciphertext"> & {
  readonly connection?: Omit<OAuthConnectionModel, "ciphertext"> | null;
};

const withoutSecrets = {
  omit: { ciphertext: true },
  include: { connection: { omit: { ciphertext: true } } },
} as const;

/** A credential as the API shows it: everything but its data. */
export function showCredential(row: ShownRow) {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    ...(row.allowedHosts.length === 0 ? {} : { allowedHosts: row.allowedHosts }),
    ...(row.connection ? { connection: showConnection(row.connection) } : {}),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}

/** A credential of the actor's workspace, still sealed. Throws NOT_FOUND. */
export async function findCredential(actor: Actor, id: string) {
  const where = { id, workspaceId: actor.workspaceId };
  const row = isId("credential", id) ? await database().credential.findFirst({ where, ...withoutSecrets }) : null;
  if (row === null) throw notFound("Credential");
  return row;
}

/** A credential as the API shows it. Throws NOT_FOUND. */
export async function readCredential(actor: Actor, id: string) {
  return showCredential(await findCredential(actor, id));
}

/** A page of the workspace's credentials, newest first. */
export async function listCredentials(actor: Actor, { search, ...asked }: SearchedPage) {
  const where = { workspaceId: actor.workspaceId, ...(search && { name: containing(search) }) };
  const { credential } = database();
  return await pageOf(asked, credential.count({ where }), async (part) => {
    const rows = await credential.findMany({ where, ...withoutSecrets, ...newestFirst, ...part });
    return rows.map(showCredential);
  });
}

/** The maximum number of credentials per workspace. */
const credentialsMax = 5_000;

/** Stores a credential. Throws VALIDATION_ERROR if the workspace has one of this name, or has too many. */
export async function createCredential(actor: Actor, given: NewCredential) {
  const { name, type, data, allowedHosts = [] } = given;
  const { workspaceId } = actor;
  if ((await database().credential.count({ where: { workspaceId } })) >= credentialsMax) {
    const most = credentialsMax.toLocaleString("en-US");
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
      details: { name: `a workspace may have at most ${most} credentials: delete one first` },
    });
  }
  const id = newId("credential");
  const now = timeNow();
  const row = { id, workspaceId, name, type, allowedHosts, createdAt: now, updatedAt: now };
  const connection = type === "oauth2" ? { connection: { create: newConnection({ id, workspaceId }, data) } } : {};
  const stored = { ...row, ...sealedData(workspaceId, id, data), ...connection };
  const entry = { action: "credential.created", id, name, after: { type, allowedHosts } } as const;
  const [made] = await refuseTakenName(name, () =>
    database().$transaction([
      database().credential.create({ data: stored, ...withoutSecrets }),
      recordStatement(database(), actor, entry),
    ]),
  );
  return showCredential(made);
}

/** Deletes a credential for good. Throws NOT_FOUND. */
export async function deleteCredential(actor: Actor, id: string): Promise<null> {
  const where = { id, workspaceId: actor.workspaceId };
  if (!isId("credential", id)) throw notFound("Credential");
  await database().$transaction(async (tx) => {
    const found = await tx.credential.findFirst({ where });
    const { count } = await tx.credential.deleteMany({ where });
    if (found === null || count === 0) throw notFound("Credential");
    await recordChange(tx, actor, { action: "credential.deleted", id, name: found.name, before: { type: found.type } });
  });
  return null;
}

/**
 * Writes, and throws VALIDATION_ERROR if the workspace already has the name. The database decides: of two concurrent
 * writes with one name, one succeeds.
 */
export async function refuseTakenName<Row>(name: string, write: () => Promise<Row>): Promise<Row> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "P2002")) throw error;
    throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
      details: { name: `there is a credential named "${name}" already` },
    });
  }
}

/** The columns of a credential's data, bound to its row. Every value is stored as text. */
export function sealedData(
  workspaceId: string,
  id: string,
  data: Readonly<Record<string, string | number | undefined>>,
): Sealed {
  const given = Object.entries(data).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(given.map(([field, value]) => [field, String(value)]));
  return seal(JSON.stringify(texts), ownerOf(workspaceId, id));
}

/** The type of the workspace's credential of this name; null if there is none. */
export async function credentialType(
  database: Pick<PrismaClient, "credential">,
  workspaceId: string,
  name: string,
): Promise<string | null> {
  const where = { workspaceId_name: { workspaceId, name } };
  const row = await database.credential.findUnique({ where, select: { type: true } });
  return row?.type ?? null;
}

/** Changes the given fields; `data` as a whole. Throws NOT_FOUND, VALIDATION_ERROR. */
export async function updateCredential(actor: Actor, id: string, changes: CredentialChanges) {
  const row = await findCredential(actor, id);
  const { name = row.name, type = row.type as CredentialType, allowedHosts } = changes;
  const updatedAt = new Date(Math.max(nowMs(), row.updatedAt.getTime() + 1));
  const parsed = newData(row, type, changes.data);
  const data: CredentialUpdateManyMutationInput = {
    name,
    updatedAt,
    ...(allowedHosts === undefined ? {} : { allowedHosts: allowedHosts ?? [] }),
    ...(parsed === null ? {} : { type, ...sealedData(row.workspaceId, row.id, parsed) }),
  };
  // Only if the type is still the same: data sealed for one type must not end up under another.
  const where = { id, workspaceId: actor.workspaceId, type: row.type };
  const shown = { name: row.name, type: row.type, allowedHosts: row.allowedHosts };
  const after = { name, type, allowedHosts: allowedHosts ?? row.allowedHosts, newData: changes.data !== undefined };
  await refuseTakenName(name, () =>
    database().$transaction(async (tx) => {
      const { count } = await tx.credential.updateMany({ where, data });
      if (count === 0) throw notFound("Credential");
      if (parsed !== null) await resetConnection(tx, row, "grant" in parsed && type === "oauth2" ? parsed : null);
      await recordChange(tx, actor, { action: "credential.updated", id, name, before: shown, after });
    }),
  );
  return showCredential(await findCredential(actor, id));
}

/** Null if the data does not change. Throws VALIDATION_ERROR. */
function newData(row: { readonly type: string }, type: CredentialType, given: unknown) {
  if (given === undefined && type === row.type) return null;
  const parsed = credentialData[type].safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  const details: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    details[formatPath(["data", ...issue.path])] ??= issueMessage(issue);
  }
  throw new AppError("VALIDATION_ERROR", "The request body is not valid", { details });
}
