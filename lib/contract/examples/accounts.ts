import type { Examples } from "./example.ts";

const createdAt = "2026-01-31T09:30:00.000Z";

const workspace = {
  id: "ws_01kadbb2m4e5t9n1s8w0q6z3rx",
  name: "Shop",
  tier: "pro",
  role: "owner",
  current: true,
  retentionDays: 90,
  timezone: "Europe/Berlin",
  createdAt,
} as const;

const usage = {
  tier: "pro",
  requests: { used: 212, limit: 1000, resetAt: "2026-01-31T10:00:00.000Z" },
  retentionDays: null,
} as const;

const savedFilter = {
  id: "filter_01kadbd4x8e2h6q9s3u7w1z5nc",
  name: "Failed last night",
  filter: { status: "failed,timeout", since: "24h" },
  createdAt,
};

const member = {
  id: "user_01kadbb2m5fj2v7k3d9xq4z8te",
  name: "Ada",
  email: "ada@example.com",
  role: "owner",
  twoFactor: true,
  joinedAt: createdAt,
} as const;

const invitation = {
  id: "inv_01kadbc0a8f9r3m6y1p5t7w2vq",
  email: "ben@example.com",
  role: "editor",
  invitedBy: "Ada",
  createdAt,
  expiresAt: "2026-02-07T09:30:00.000Z",
} as const;

const account = {
  kind: "user",
  id: member.id,
  name: member.name,
  email: member.email,
  role: "owner",
  hasPassword: true,
  twoFactor: true,
  providers: ["github"],
  workspace: { id: workspace.id, name: workspace.name, tier: workspace.tier },
  scopes: ["flows:read", "flows:write", "flows:execute"],
} as const;

const session = {
  id: "ses_01kadbb9q2g6x8c4n0v5j1h7mk",
  current: true,
  method: "password",
  ip: "198.51.100.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0",
  createdAt,
  lastSeenAt: "2026-01-31T10:02:00.000Z",
  expiresAt: "2026-03-02T09:30:00.000Z",
};

const recoveryCodes = { recoveryCodes: ["k7m2p-9xwq4", "d3vtn-h8rjy"] };

export const accountExamples: Examples = {
  "GET /workspaces": { answer: [workspace] },
  "POST /workspaces": { body: { name: "Shop" }, answer: workspace },
  "PATCH /workspaces/:id": { body: { name: "Shop", retentionDays: 90 }, answer: workspace },
  "GET /usage": { answer: usage },
  "POST /workspaces/:id/switch": { answer: workspace },
  "POST /workspaces/:id/leave": {},
  "GET /members": { answer: member },
  "PATCH /members/:id": { body: { role: "owner" }, answer: member },
  "DELETE /members/:id": {},
  "GET /invitations": { answer: invitation },
  "POST /invitations": {
    body: { email: invitation.email, role: invitation.role },
    answer: { ...invitation, url: "https://flows.example.com/invitations/the-token", mailed: true },
  },
  "DELETE /invitations/:id": {},
  "GET /account": { answer: account },
  "PATCH /account": { body: { name: "Ada" }, answer: account },
  "POST /account/password": { body: { currentPassword: "the old one", newPassword: "a longer new one" } },
  "GET /account/sessions": { answer: [session] },
  "DELETE /account/sessions": { answer: { ended: 2 } },
  "DELETE /account/sessions/:id": {},
  "GET /account/saved-filters": { answer: [savedFilter] },
  "POST /account/saved-filters": {
    body: { name: savedFilter.name, filter: savedFilter.filter },
    answer: savedFilter,
  },
  "DELETE /account/saved-filters/:id": {},
  "POST /account/two-factor": {
    body: { password: "your password" },
    answer: { secret: "JBSWY3DPEHPK3PXP", uri: "otpauth://totp/Millrace:ada%40example.com?secret=JBSWY3DPEHPK3PXP" },
  },
  "POST /account/two-factor/confirm": { body: { code: "123456" }, answer: recoveryCodes },
  "POST /account/two-factor/recovery-codes": { body: { code: "123456" }, answer: recoveryCodes },
  "POST /account/two-factor/disable": { body: { code: "123456" } },
  "DELETE /account/providers/:id": {},
  "GET /audit-log": {
    answer: {
      id: "aud_01kadbc1r4j7s2z5k8m0x3v6tn",
      at: createdAt,
      action: "member.role_changed",
      actor: { kind: "user", id: member.id, name: member.email },
      subject: { type: "member", id: "user_01kadbc5e6w0y2r8t4u1h9q3zb", name: invitation.email },
      ip: "198.51.100.7",
      requestId: "4f3c2b1a-7d6e-4c5b-8a9f-0e1d2c3b4a59",
      before: { role: "viewer" },
      after: { role: "editor" },
    },
  },
};
