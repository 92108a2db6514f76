import type { Actor } from "#lib/auth/actor.ts";
import { findCredential } from "./find-credential.ts";
import { showCredential } from "./show-credential.ts";

/** A credential as the API tells it. Throws NOT_FOUND. */
export async function readCredential(actor: Actor, id: string) {
  return showCredential(await findCredential(actor, id));
}
