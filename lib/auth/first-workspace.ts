// A service whose settings name an owner (BOOTSTRAP_EMAIL) creates the first workspace itself, as soon as its database
// answers.
import { AppError } from "#lib/errors.ts";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";

/** Whether that workspace is known to exist. */
export const bootstrapped = singleton("bootstrapped", () => ({ isDone: false }));

/** False while it may be missing: whoever created another one would operate the service. */
export function hasFirstWorkspace(): boolean {
  return bootstrapped.isDone || env().bootstrap === undefined;
}

/** Throws SERVICE_UNAVAILABLE until it exists. */
export function requireFirstWorkspace(): void {
  if (hasFirstWorkspace()) return;
  throw new AppError("SERVICE_UNAVAILABLE", "The service is starting; try again shortly", { retryAfterSeconds: 1 });
}
