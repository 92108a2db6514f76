import { z } from "zod";
import { recordChange } from "#lib/audit/record-change.ts";
import { requireFirstWorkspace } from "#lib/auth/first-workspace.ts";
import { hashPassword } from "#lib/auth/password.ts";
import { countEntry } from "#lib/auth/sign-in-throttle.ts";
import { newPassword } from "#lib/contract/accounts/account.ts";
import { emailAddress } from "#lib/contract/accounts/members.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { timeNow } from "#lib/platform/clock.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { newId } from "#lib/platform/ids.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";

const named = (label: string) =>
  z
    .string(`${label} must be text`)
    .trim()
    .min(1, `Enter ${label}`)
    .max(255, `${label} must have at most 255 characters`)
    .refine(isStorableText, `${label} must not contain U+0000 or unpaired surrogates`);

const newUserFields = z.object({ name: named("your name"), password: newPassword });
const ownWorkspaceFields = newUserFields.extend({ email: emailAddress, workspaceName: named("a workspace name") });

export type NewUserInput = z.input<typeof newUserFields>;
export type OwnWorkspaceInput = z.input<typeof ownWorkspaceFields>;

/** Throws VALIDATION_ERROR with `details`, field to message. */
export const parseNewUser = (given: NewUserInput) => parse(newUserFields, given);
/** The same for an account with its own workspace. */
export const parseOwnWorkspace = (given: OwnWorkspaceInput) => parse(ownWorkspaceFields, given);

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const details = Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]));
  throw new AppError("VALIDATION_ERROR", "Some fields are not valid", { details });
}

interface UserColumns {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
}

/** Stores a user. Throws CONFLICT if the address has an account. */
export async function newUser(tx: JoinTransaction, columns: UserColumns) {
  const id = newId("user");
  const { count } = await tx.user.createMany({ data: [{ id, ...columns }], skipDuplicates: true });
  if (count === 0) throw takenAddress();
  return { id, ...columns };
}

/** Throws CONFLICT as storing the user would, but before a password is hashed. */
export async function requireFreeAddress(email: string): Promise<void> {
  if ((await database().user.count({ where: { email } })) > 0) throw takenAddress();
}

function takenAddress(): AppError {
  return new AppError("CONFLICT", "This address already has an account: sign in with it");
}

/** Stores a workspace with its owner. */
export async function newWorkspace(tx: JoinTransaction, name: string, tier: string, ownerId: string): Promise<string> {
  const id = newId("workspace");
  await tx.workspace.create({ data: { id, name, tier } });
  await tx.membership.create({ data: { workspaceId: id, userId: ownerId, role: "owner" } });
  await tx.user.update({ where: { id: ownerId }, data: { lastWorkspaceId: id } });
  return id;
}

export type JoinTransaction = Pick<
  PrismaClient,
  "$executeRaw" | "user" | "membership" | "invitation" | "workspace" | "session" | "identity"
>;

interface Joining {
  readonly workspaceId: string;
  readonly role: string;
}

/** Makes a user a member, and their next session start there. An existing member keeps their role. */
export async function joinWorkspace(tx: JoinTransaction, { workspaceId, role }: Joining, userId: string) {
  const where = { workspaceId_userId: { workspaceId, userId } };
  if ((await tx.membership.findUnique({ where })) === null) {
    await tx.membership.create({ data: { workspaceId, userId, role } });
    const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    const actor = { workspaceId, by: { kind: "user", id: userId } } as const;
    await recordChange(tx, actor, { action: "member.joined", id: userId, name: email, after: { role } });
  }
  await tx.user.update({ where: { id: userId }, data: { lastWorkspaceId: workspaceId } });
}

/**
 * Creates an account with its own workspace, if `SIGN_UP` is `open`. Throws FORBIDDEN, VALIDATION_ERROR (`details`:
 * field to message), RATE_LIMIT_EXCEEDED, CONFLICT if the address has an account, SERVICE_UNAVAILABLE before the first
 * workspace exists.
 */
export async function signUp(given: OwnWorkspaceInput, ip: string | null): Promise<void> {
  if (env().signUp !== "open") throw new AppError("FORBIDDEN", "Accounts here are by invitation only");
  requireFirstWorkspace();
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

/** An identity at GitHub or Google. */
export interface OutsideIdentity {
  readonly provider: "github" | "google";
  /** The account's id there, which never changes. */
  readonly accountId: string;
  /** An address that the provider has verified; null if there is none. */
  readonly verifiedEmail: string | null;
  readonly name: string;
}

/** Why an identity is not admitted. The sign-in page has a message for each. */
type IdentityRefusal = "NotInvited" | "ConnectFirst" | "ConnectedToOther";

/**
 * The user whom an outside identity signs in. A signed-in user (`currentUserId`) connects it to their account. An
 * unknown one is admitted if an invitation is open for its verified address, or if anyone may sign up. An address that
 * has an account here is not enough: whoever created that account need not own the address.
 */
export async function admitIdentity(
  identity: OutsideIdentity,
  currentUserId: string | null,
): Promise<{ userId: string } | IdentityRefusal> {
  const { provider, accountId } = identity;
  return await database().$transaction(async (tx) => {
    const known = await tx.identity.findUnique({ where: { provider_accountId: { provider, accountId } } });
    if (known !== null) {
      const isOther = currentUserId !== null && known.userId !== currentUserId;
      return isOther ? "ConnectedToOther" : { userId: known.userId };
    }
    const userId = currentUserId ?? (await admitNew(tx, identity));
    if (userId === "NotInvited" || userId === "ConnectFirst") return userId;
    await tx.identity.create({ data: { provider, accountId, userId } });
    return { userId };
  });
}

async function admitNew(tx: JoinTransaction, identity: OutsideIdentity): Promise<string | IdentityRefusal> {
  const parsed = emailAddress.safeParse(identity.verifiedEmail);
  if (!parsed.success) return "NotInvited";
  const email = parsed.data;
  if ((await tx.user.findUnique({ where: { email } })) !== null) return "ConnectFirst";
  const invitations = await tx.invitation.findMany({ where: { email, expiresAt: { gt: timeNow() } } });
  if (invitations.length === 0 && env().signUp !== "open") return "NotInvited";
  requireFirstWorkspace();
  const name = identity.name.trim().slice(0, 255).toWellFormed().replaceAll("\0", "") || email;
  const user = await newUser(tx, { email, name, passwordHash: null });
  for (const invitation of invitations) {
    await joinWorkspace(tx, invitation, user.id);
    await tx.invitation.deleteMany({ where: { id: invitation.id } });
  }
  if (invitations.length === 0) {
    const workspaceName = `${name.slice(0, 200)}'s workspace`;
    const workspaceId = await newWorkspace(tx, workspaceName, env().defaultTier, user.id);
    const actor = { workspaceId, by: { kind: "user", id: user.id } } as const;
    await recordChange(tx, actor, { action: "workspace.created", id: workspaceId, name: workspaceName });
  }
  return user.id;
}
