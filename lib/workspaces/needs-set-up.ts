import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";

/** True until the first workspace exists, and never where the service makes it itself (BOOTSTRAP_EMAIL). */
export async function needsSetUp(): Promise<boolean> {
  if (env().bootstrap !== undefined) return false;
  return (await database().workspace.findFirst({ select: { id: true } })) === null;
}
