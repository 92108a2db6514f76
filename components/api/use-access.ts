"use client";

import { createContext, useContext } from "react";
import { type Role, roleScopes, type Scope } from "#lib/access.ts";

export const RoleContext = createContext<Role>("viewer");

export interface Access {
  readonly role: Role;
  /** Why the member may not do what needs this scope, and who may; null when they may. */
  readonly refusal: (scope: Scope) => string | null;
}

/** What the signed-in member may do. The API decides; this is for saying so before somebody tries. */
export function useAccess(): Access {
  const role = useContext(RoleContext);
  return { role, refusal: (scope) => refusalOf(role, scope) };
}

function refusalOf(role: Role, scope: Scope): string | null {
  if (roleScopes[role].includes(scope)) return null;
  const who = roleScopes.editor.includes(scope) ? "an editor or an owner" : "an owner";
  return `You are a ${role === "viewer" ? "viewer" : `${role} here`}: only ${who} of the workspace can do this.`;
}
