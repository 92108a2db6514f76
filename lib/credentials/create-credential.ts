import { recordStatement } from "#lib/audit/record-change.ts";
import type { Actor } from "#lib/auth/actor.ts";
import type { NewCredential } from "#lib/contract/credentials.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import { refuseTakenName } from "./refuse-taken-name.ts";
import { sealedData } from "./sealed-data.ts";
import { showCredential } from "./show-credential.ts";

/** Stores a credential. Throws VALIDATION_ERROR when the workspace has one of this name. */
export async function createCredential(actor: Actor, given: NewCredential) {
  const { name, type, data, allowedHosts = [] } = given;
  const { workspaceId } = actor;
  const id = newId("credential");
  const now = timeNow();
  const row = { id, workspaceId, name, type, allowedHosts, createdAt: now, updatedAt: now };
  const stored = { ...row, ...sealedData(workspaceId, id, data) };
  const entry = { action: "credential.created", id, name, after: { type, allowedHosts } } as const;
  const [made] = await refuseTakenName(name, () =>
    database().$transaction([
      database().credential.create({ data: stored }),
      recordStatement(database(), actor, entry),
    ]),
  );
  return showCredential(made);
}
