import { recordChange } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { type CredentialType, credentialData } from "#lib/contract/credential-types.ts";
import type { CredentialChanges } from "#lib/contract/credentials.ts";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath } from "#lib/engine/json.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { nowMs } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import type { CredentialUpdateManyMutationInput } from "#lib/platform/prisma/models.ts";
import { findCredential, refuseTakenName, sealedData, showCredential } from "./credentials.ts";
import { resetConnection } from "./oauth/connection.ts";

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

/** Null if the data stays. Throws VALIDATION_ERROR. */
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
