import { z } from "zod";
import { recordChange } from "#lib/audit/record-change.ts";
import { newPassword } from "#lib/contract/accounts/account.ts";
import { emailAddress } from "#lib/contract/accounts/members.ts";
import { isStorableText } from "#lib/engine/flow.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { newId } from "#lib/platform/ids.ts";
import type { PrismaClient } from "#lib/platform/prisma/client.ts";

const named = (what: string) =>
  z
    .string(`${what} must be text`)
    .trim()
    .min(1, `Enter ${what}`)
    .max(255, `${what} must have at most 255 characters`)
    .refine(isStorableText, `${what} must not contain U+0000 or unpaired surrogates`);

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

/** Called before a password is hashed. Throws CONFLICT, as storing the user would. */
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
