import { env } from "#lib/platform/env.ts";
import { canSendMail } from "#lib/platform/mail.ts";
import { outsideProviderNames } from "./outside-providers.ts";

/** Which ways in the operator opened. */
export function entryWays() {
  return { canSignUp: env().signUp === "open", canReset: canSendMail(), providers: outsideProviderNames() };
}
