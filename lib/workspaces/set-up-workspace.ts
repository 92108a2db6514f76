import { scopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { hashOfKey, shownPrefix } from "#lib/auth/api-key-format.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId } from "#lib/platform/ids.ts";
import { newUser, newWorkspace, type OwnWorkspaceInput, parseOwnWorkspace } from "./new-user.ts";

/**
 * Makes the first workspace with its owner. Throws VALIDATION_ERROR (`details`: field to message), and CONFLICT when
 * a workspace exists already, even if two ask at once.
 */
export async function setUpWorkspace(given: OwnWorkspaceInput): Promise<void> {
  const made = await makeFirstWorkspace({ ...parseOwnWorkspace(given), apiKey: undefined });
  if (!made) throw new AppError("CONFLICT", "This service is set up already: sign in instead");
}

/** What BOOTSTRAP_EMAIL, BOOTSTRAP_PASSWORD and BOOTSTRAP_API_KEY ask for; does nothing once a workspace exists. */
export async function bootstrapWorkspace(): Promise<void> {
  const { bootstrap } = env();
  if (bootstrap === undefined) return;
  const email = bootstrap.email.toLowerCase();
  await makeFirstWorkspace({ ...bootstrap, email, name: email.split("@")[0] ?? email, workspaceName: "Workspace" });
}

interface FirstWorkspace {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly workspaceName: string;
  readonly apiKey: string | undefined;
}

/** False when there was one already. */
async function makeFirstWorkspace(first: FirstWorkspace): Promise<boolean> {
  const passwordHash = await hashPassword(first.password);
  return await database().$transaction(async (tx) => {
    // Held until the transaction ends: of several that set up at once, one finds the table empty.
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('millrace.set-up'))`;
    if ((await tx.workspace.count()) > 0) return false;
    const user = await newUser(tx, { email: first.email, name: first.name, passwordHash });
    const workspaceId = await newWorkspace(tx, first.workspaceName, env().firstTier, user.id);
    const actor = { workspaceId, by: { kind: "user", id: user.id } } as const;
    const change = { action: "workspace.created", id: workspaceId, name: first.workspaceName } as const;
    await recordChange(tx, actor, change);
    if (first.apiKey !== undefined) {
      await tx.apiKey.create({
        data: {
          id: newId("key"),
          workspaceId,
          name: "Bootstrap",
          hash: hashOfKey(first.apiKey),
          prefix: shownPrefix(first.apiKey),
          scopes: [...scopes],
        },
      });
    }
    return true;
  });
}
