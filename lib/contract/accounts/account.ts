import { z } from "zod";
import { roles, scopes, tierQuotas } from "#lib/access.ts";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName } from "#lib/engine/flow.ts";

const tag = "Account";

export const account = z
  .object({
    kind: z.enum(["user", "key"]),
    id: z.string(),
    name: z.string(),
    /** Null for a key, as are the next three. */
    email: z.string().nullable(),
    role: z.enum(roles).nullable(),
    hasPassword: z.boolean().nullable(),
    twoFactor: z.boolean().nullable(),
    /** The connected sign-in providers. */
    providers: z.array(z.string()),
    workspace: z.object({ id: z.string(), name: z.string(), tier: z.enum(Object.keys(tierQuotas)) }),
    scopes: z.array(z.enum(scopes)),
  })
  .meta({ id: "Account" });

export const session = z
  .object({
    id: z.string(),
    current: z.boolean(),
    /** How the session was started: `password`, `github`, `google`. */
    method: z.string(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: "Session" });

export const newPassword = z
  .string("must be text")
  .min(8, "Choose a password of at least 8 characters")
  .max(200, "Choose a password of at most 200 characters");

const password = z.string("must be text").min(1, "Enter your password").max(200, "is not your password");
const code = z.string("must be text").trim().min(6, "Enter the code of 6 digits").max(64, "is not a code");

const twoFactorStart = z.object({
  /** For typing into an authenticator app. */
  secret: z.string(),
  /** `otpauth://…`, for a QR code. */
  uri: z.string(),
});
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const readAccount = endpoint({
  method: "GET",
  path: "/account",
  tag,
  summary: "Who am I",
  description: "The person who is signed in, or the key that asks; the workspace, and what is allowed there.",
  scope: null,
  shape: "data",
  status: 200,
  answer: account,
});

export const updateAccount = endpoint({
  method: "PATCH",
  path: "/account",
  tag,
  summary: "Change my name",
  scope: null,
  peopleOnly: true,
  body: z.object({ name: flowName.optional() }),
  shape: "data",
  status: 200,
  answer: account,
});

export const changePassword = endpoint({
  method: "POST",
  path: "/account/password",
  tag,
  summary: "Change my password",
  description: "Ends all other sessions. Who has no password yet leaves `currentPassword` out.",
  scope: null,
  peopleOnly: true,
  body: z.object({ currentPassword: password.optional(), newPassword }),
  bodyRequired: true,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export const listSessions = endpoint({
  method: "GET",
  path: "/account/sessions",
  tag,
  summary: "List my sessions",
  description: "Where one is signed in, last used first.",
  scope: null,
  peopleOnly: true,
  shape: "data",
  status: 200,
  answer: z.array(session),
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/account/sessions/:id",
  tag,
  summary: "End a session",
  description: "That browser is signed out from its next request on.",
  scope: null,
  peopleOnly: true,
  params: idParams,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export const endOtherSessions = endpoint({
  method: "DELETE",
  path: "/account/sessions",
  tag,
  summary: "End all my other sessions",
  scope: null,
  peopleOnly: true,
  shape: "data",
  status: 200,
  answer: z.object({ ended: z.int() }),
});

export const startTwoFactor = endpoint({
  method: "POST",
  path: "/account/two-factor",
  tag,
  summary: "Begin with an authenticator app",
  description:
    "Gives the secret for the app; it is in force once a code of it is confirmed. `INVALID_STATUS` when one is in force. Who has a password proves it.",
  scope: null,
  peopleOnly: true,
  body: z.object({ password: password.optional() }),
  shape: "data",
  status: 201,
  answer: twoFactorStart,
});

export const confirmTwoFactor = endpoint({
  method: "POST",
  path: "/account/two-factor/confirm",
  tag,
  summary: "Confirm the authenticator app",
  description:
    "From now on, signing in asks for a code. The answer tells 10 recovery codes, this once; each works once.",
  scope: null,
  peopleOnly: true,
  body: z.object({ code }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: recoveryCodes,
});

export const renewRecoveryCodes = endpoint({
  method: "POST",
  path: "/account/two-factor/recovery-codes",
  tag,
  summary: "Make new recovery codes",
  description: "The ones before work no more. Asks for a code of the app, or one of them.",
  scope: null,
  peopleOnly: true,
  body: z.object({ code }),
  bodyRequired: true,
  shape: "data",
  status: 200,
  answer: recoveryCodes,
});

export const endTwoFactor = endpoint({
  method: "POST",
  path: "/account/two-factor/disable",
  tag,
  summary: "Sign in without the authenticator app",
  description: "Asks for a code of the app, or a recovery code.",
  scope: null,
  peopleOnly: true,
  body: z.object({ code }),
  bodyRequired: true,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export const endProvider = endpoint({
  method: "DELETE",
  path: "/account/providers/:id",
  tag,
  summary: "Disconnect GitHub or Google",
  description: "`INVALID_STATUS` when it is the only way in.",
  scope: null,
  peopleOnly: true,
  params: idParams,
  shape: "empty",
  status: 204,
  answer: z.null(),
});

export type ShownAccount = z.input<typeof account>;
export type ShownSession = z.input<typeof session>;
