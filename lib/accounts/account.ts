import { scopes } from "#lib/access.ts";
import { type Actor, requireUser } from "#lib/auth/actor.ts";
import type { ShownAccount } from "#lib/contract/accounts/account.ts";
import { database } from "#lib/platform/database.ts";
import { hasTwoFactor } from "./two-factor.ts";

/** The caller: a person or a key, with the workspace and the permissions there. */
export async function readAccount(actor: Actor): Promise<ShownAccount> {
  const {
    id: workspaceId,
    name,
    tier,
  } = await database().workspace.findUniqueOrThrow({
    where: { id: actor.workspaceId },
  });
  const common = {
    id: actor.by.id,
    workspace: { id: workspaceId, name, tier },
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
