/** The scopes of an API key: what it may be allowed to do. */
export const scopes = [
  "flows:read",
  "flows:write",
  "flows:execute",
  "tests:write",
  "executions:read",
  "executions:write",
  "webhooks:read",
  "webhooks:write",
  "credentials:read",
  "credentials:write",
  "tables:read",
  "tables:write",
  "files:read",
  "files:write",
  "keys:write",
  "members:read",
  "members:write",
  "audit:read",
] as const;
export type Scope = (typeof scopes)[number];

export const roles = ["owner", "editor", "viewer"] as const;
export type Role = (typeof roles)[number];

const ownersOnly: ReadonlySet<Scope> = new Set(["keys:write", "members:write", "audit:read"]);

/** What a member may do in the browser; a key has its own scopes. */
export const roleScopes: Record<Role, readonly Scope[]> = {
  owner: scopes,
  editor: scopes.filter((scope) => !ownersOnly.has(scope)),
  viewer: [
    "flows:read",
    "executions:read",
    "webhooks:read",
    "credentials:read",
    "tables:read",
    "files:read",
    "members:read",
  ],
};

export const tiers = ["free", "pro", "enterprise"] as const;
export type Tier = (typeof tiers)[number];
/** Requests an hour that a workspace's keys may make. */
export const tierQuotas = { free: 100, pro: 1_000, enterprise: 10_000 } as const satisfies Record<Tier, number>;
