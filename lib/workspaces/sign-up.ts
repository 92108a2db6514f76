import { recordChange } from "#lib/audit/record-change.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { countEntry } from "#lib/auth/sign-in-throttle.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newUser, newWorkspace, type OwnWorkspaceInput, parseOwnWorkspace, requireFreeAddress } from "./new-user.ts";

/**
 * Creates an account with its own workspace, if `SIGN_UP` is `open`. Throws FORBIDDEN, VALIDATION_ERROR (`details`:
 * field to message), RATE_LIMIT_EXCEEDED, CONFLICT if the address has an account.
 */
export async function signUp(given: OwnWorkspaceInput, ip: string | null): Promise<void> {
  if (env().signUp !== "open") throw new AppError("FORBIDDEN", "Accounts here are by invitation only");
  const { email, name, password, workspaceName } = parseOwnWorkspace(given);
  await countEntry("sign-up", ip);
  await requireFreeAddress(email);
  const passwordHash = await hashPassword(password);
  await database().$transaction(async (tx) => {
    const user = await newUser(tx, { email, name, passwordHash });
    const workspaceId = await newWorkspace(tx, workspaceName, env().defaultTier, user.id);
    const actor = { workspaceId, by: { kind: "user", id: user.id } } as const;
    await recordChange(tx, actor, { action: "workspace.created", id: workspaceId, name: workspaceName });
  });
}
