import { z } from "zod";
import { roles, scopes, tiers } from "#lib/access.ts";
import { endpoint, idParams } from "#lib/contract/endpoint.ts";
import { timestamp } from "#lib/contract/timestamp.ts";
import { flowName } from "#lib/engine/flow.ts";

const tag = "Account";

export const account = z
  .object({
    kind: z.enum(["user", "key"]).describe("Whether the caller is a person or a key"),
    id: z.string().describe("Its id"),
    name: z.string().describe("The person's or the key's name"),
    /** Null for an API key, like the next three fields. */
    email: z.string().nullable().describe("Their email address"),
    role: z.enum(roles).nullable().describe("What the member may do"),
    hasPassword: z.boolean().nullable().describe("Whether they sign in with a password"),
    twoFactor: z.boolean().nullable().describe("Whether sign-in requires a code"),
    providers: z.array(z.string()).describe("Other ways they sign in"),
    workspace: z
      .object({
        id: z.string().describe("Its id"),
        name: z.string().describe("The person's or the key's name"),
        tier: z.enum(tiers).describe("Requests per hour for its keys"),
      })
      .describe("The workspace that the caller works in"),
    scopes: z.array(z.enum(scopes)).describe("What the caller may do"),
  })
  .meta({ id: "Account" });

export const session = z
  .object({
    id: z.string().describe("Its id"),
    current: z.boolean().describe("Whether it is the one in use"),
    method: z.string().describe("How it started: `password`, `github`, `google`"),
    ip: z.string().nullable().describe("The IP address it came from"),
    userAgent: z.string().nullable().describe("The browser it came from"),
    createdAt: timestamp.describe("When it was created"),
    lastSeenAt: timestamp.describe("When it was last used"),
    expiresAt: timestamp.describe("When it expires; null for never"),
  })
  .meta({ id: "Session" });

export const newPassword = z
  .string("must be text")
  .min(8, "Choose a password of at least 8 characters")
  .max(200, "Choose a password of at most 200 characters");

const password = z.string("must be text").min(1, "Enter your password").max(200, "is not your password");
const code = z.string("must be text").trim().min(6, "Enter the code of 6 digits").max(64, "is not a code");

const twoFactorStart = z.object({
  secret: z.string().describe("For typing it into the app"),
  uri: z.string().describe("`otpauth://…`, for a QR code"),
});
const recoveryCodes = z.object({
  recoveryCodes: z.array(z.string()).describe("Codes that each work once, instead of the app"),
});

export const readAccount = endpoint({
  method: "GET",
  path: "/account",
  tag,
  summary: "Who am I",
  description: "The signed-in person or the calling key, the workspace, and the permissions in it.",
  scope: null,
  answer: account,
});

export const updateAccount = endpoint({
  method: "PATCH",
  path: "/account",
  tag,
  summary: "Change my name",
  description: "Others in the workspace see it beside what you do.",
  scope: null,
  peopleOnly: true,
  body: z.object({ name: flowName.optional().describe("The person's or the key's name") }),
  answer: account,
});

export const changePassword = endpoint({
  method: "POST",
  path: "/account/password",
  tag,
  summary: "Change my password",
  description: "Ends all other sessions. Omit `currentPassword` if you have no password yet.",
  scope: null,
  peopleOnly: true,
  body: z.object({
    currentPassword: password.optional().describe("The current password"),
    newPassword: newPassword.describe("The new password"),
  }),
  bodyRequired: true,
  shape: "empty",
});

export const listSessions = endpoint({
  method: "GET",
  path: "/account/sessions",
  tag,
  summary: "List my sessions",
  description: "Where you are signed in, most recently used first.",
  scope: null,
  peopleOnly: true,
  answer: z.array(session),
});

export const endSession = endpoint({
  method: "DELETE",
  path: "/account/sessions/:id",
  tag,
  summary: "End a session",
  description: "That browser is signed out with its next request.",
  scope: null,
  peopleOnly: true,
  params: idParams("session"),
  shape: "empty",
});

export const endOtherSessions = endpoint({
  method: "DELETE",
  path: "/account/sessions",
  tag,
  summary: "End all my other sessions",
  description: "Other browsers are signed out with their next request; this one stays signed in.",
  scope: null,
  peopleOnly: true,
  answer: z.object({ ended: z.int().describe("How many sessions ended") }),
});

export const startTwoFactor = endpoint({
  method: "POST",
  path: "/account/two-factor",
  tag,
  summary: "Set up an authenticator app",
  description:
    "Returns the secret for the app; it takes effect once a code is confirmed. `INVALID_STATUS` if an app is already set up. Requires your password if you have one.",
  scope: null,
  peopleOnly: true,
  body: z.object({ password: password.optional().describe("The password") }),
  status: 201,
  answer: twoFactorStart,
});

export const confirmTwoFactor = endpoint({
  method: "POST",
  path: "/account/two-factor/confirm",
  tag,
  summary: "Confirm the authenticator app",
  description:
    "From now on, sign-in requires a code. The answer contains 10 recovery codes, shown only once; each works once.",
  scope: null,
  peopleOnly: true,
  body: z.object({ code: code.describe("A code from the authenticator app, or a recovery code") }),
  bodyRequired: true,
  answer: recoveryCodes,
});

export const renewRecoveryCodes = endpoint({
  method: "POST",
  path: "/account/two-factor/recovery-codes",
  tag,
  summary: "Create new recovery codes",
  description: "The previous ones stop working. Requires a code from the app, or one of them.",
  scope: null,
  peopleOnly: true,
  body: z.object({ code: code.describe("A code from the authenticator app, or a recovery code") }),
  bodyRequired: true,
  answer: recoveryCodes,
});

export const endTwoFactor = endpoint({
  method: "POST",
  path: "/account/two-factor/disable",
  tag,
  summary: "Sign in without the authenticator app",
  description: "Requires a code from the app, or a recovery code.",
  scope: null,
  peopleOnly: true,
  body: z.object({ code: code.describe("A code from the authenticator app, or a recovery code") }),
  bodyRequired: true,
  shape: "empty",
});

export const endProvider = endpoint({
  method: "DELETE",
  path: "/account/providers/:id",
  tag,
  summary: "Disconnect GitHub or Google",
  description: "`INVALID_STATUS` if it is the only way to sign in.",
  scope: null,
  peopleOnly: true,
  params: idParams("provider"),
  shape: "empty",
});

export type ShownAccount = z.input<typeof account>;
export type ShownSession = z.input<typeof session>;
