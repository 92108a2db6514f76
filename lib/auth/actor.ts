import type { Role, Scope, Tier } from "#lib/access.ts";
import { AppError } from "#lib/errors.ts";
import type { Once } from "./idempotency.ts";

/** The caller and the workspace. Every query of a tenant's data has `workspaceId` in its WHERE. */
export interface Actor {
  readonly workspaceId: string;
  readonly tier: Tier;
  readonly scopes: ReadonlySet<Scope>;
  readonly by:
    | { readonly kind: "key"; readonly id: string }
    | { readonly kind: "user"; readonly id: string; readonly role: Role; readonly sessionId: string };
  /** The request, for the audit log; missing if there is none. */
  readonly request?: { readonly id: string; readonly ip: string | null };
  /** For a request with an `Idempotency-Key`, whose work is done once. */
  readonly once?: Once;
}

/** A signed-in person. Throws FORBIDDEN for a key: personal data does not belong to a workspace. */
export function requireUser({ by }: Actor): Extract<Actor["by"], { kind: "user" }> {
  if (by.kind === "user") return by;
  throw new AppError("FORBIDDEN", "This is for people who are signed in: an API key cannot do it", {
    details: { required: "session" },
  });
}

/** Throws FORBIDDEN if the key lacks the scope or the member's role does not have it. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.has(scope)) return;
  const who = actor.by.kind === "key" ? "This API key" : "Your role";
  throw new AppError("FORBIDDEN", `${who} does not allow ${scope}`, { details: { required: scope } });
}

/** Throws FORBIDDEN if these scopes exceed the actor's own. */
export function requireOwnScopes(actor: Actor, given: readonly string[]): void {
  const own: ReadonlySet<string> = actor.scopes;
  const missing = given.filter((scope) => !own.has(scope));
  if (missing.length === 0) return;
  const who = actor.by.kind === "key" ? "This API key" : "Your role";
  throw new AppError("FORBIDDEN", `${who} cannot give what it does not have: ${missing.join(", ")}`, {
    details: { required: missing.join(" ") },
  });
}
