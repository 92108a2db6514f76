import { type Actor, requireUser } from "#lib/auth/actor.ts";
import { database } from "#lib/platform/database.ts";
import { readAccount } from "./read-account.ts";

/** Changes the name of who is signed in, everywhere. */
export async function updateAccount(actor: Actor, { name }: { readonly name?: string | undefined }) {
  const { id } = requireUser(actor);
  if (name !== undefined) await database().user.update({ where: { id }, data: { name } });
  return await readAccount(actor);
}
