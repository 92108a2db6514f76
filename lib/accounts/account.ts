import { scopes } from "#lib/access.ts";
import { recordChange } from "#lib/audit/record-change.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { hashPassword, verifyPassword } from "#lib/auth/password.ts";
import { attemptSignIn, countEntry, tooManyAttempts } from "#lib/auth/sign-in-throttle.ts";
import type { ShownAccount } from "#lib/contract/accounts/account.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { hasTwoFactor } from "./two-factor.ts";

/** The caller: a person or a key, with the workspace and the permissions there. */
export async function readAccount(actor: Actor): Promise<ShownAccount> {
  const { id: workspaceId, name } = await database().workspace.findUniqueOrThrow({
    where: { id: actor.workspaceId },
  });
  const common = {
    id: actor.by.id,
    workspace: { id: workspaceId, name, tier: actor.tier },
    scopes: scopes.filter((scope) => actor.scopes.has(scope)),
  };
  if (actor.by.kind === "key") {
    const key = await database().apiKey.findUniqueOrThrow({ where: { id: actor.by.id } });
    const nothing = { email: null, role: null, hasPassword: null, twoFactor: null, providers: [] };
    return { ...common, ...nothing, kind: "key", name: key.name };
  }
  const user = await database().user.findUniqueOrThrow({ where: { id: actor.by.id }, include: { identities: true } });
  return {
    ...common,
    kind: "user",
    name: user.name,
    email: user.email,
    role: actor.by.role,
    hasPassword: user.passwordHash !== null,
    twoFactor: await hasTwoFactor(user.id),
    providers: user.identities.map(({ provider }) => provider).sort(),
  };
}

/** Changes the signed-in person's name, everywhere. */
export async function updateAccount(actor: Actor, { name }: { readonly name?: string | undefined }) {
  const { id } = requireUser(actor);
  if (name !== undefined) await database().user.update({ where: { id }, data: { name } });
  return await readAccount(actor);
}

interface PasswordChange {
  readonly currentPassword?: string | undefined;
  readonly newPassword: string;
}

/** Sets a new password and ends all other sessions. Throws VALIDATION_ERROR, RATE_LIMIT_EXCEEDED. */
export async function changePassword(actor: Actor, { currentPassword, newPassword }: PasswordChange): Promise<null> {
  const { id: userId, sessionId } = requireUser(actor);
  const before = await requirePassword(actor, "currentPassword", currentPassword);
  await countEntry("password-change", actor.request?.ip ?? null);
  const passwordHash = await hashPassword(newPassword);
  await database().$transaction(async (tx) => {
    // Conditional on the old password: of two concurrent changes, the second is refused.
    const where = { id: userId, passwordHash: before.passwordHash };
    const { count } = await tx.user.updateMany({ where, data: { passwordHash } });
    if (count === 0)
      throw new AppError("CONFLICT", "The password was changed in the meantime: sign in with the new one");
    await tx.session.deleteMany({ where: { userId, id: { not: sessionId } } });
    await tx.passwordReset.deleteMany({ where: { userId } });
    await recordChange(tx, actor, { action: "account.password_changed", id: userId });
  });
  return null;
}

/**
 * The signed-in user, after checking their password: an open browser is not enough to change how one signs in. Without
 * a password there is nothing to check. Throws VALIDATION_ERROR naming `field`, RATE_LIMIT_EXCEEDED.
 */
export async function requirePassword(actor: Actor, field: string, password: string | undefined) {
  const { id } = requireUser(actor);
  const user = await database().user.findUniqueOrThrow({ where: { id } });
  if (user.passwordHash === null) return user;
  if (password === undefined) throw wrongField(field, "Enter your password");
  const attempt = await attemptSignIn(user.email, actor.request?.ip ?? null);
  if (attempt === null) throw tooManyAttempts();
  if (!(await verifyPassword(user.passwordHash, password))) throw wrongField(field, "This is not your password");
  await attempt.succeed();
  return user;
}

function wrongField(field: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { details: { [field]: message } });
}
