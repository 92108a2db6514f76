import { database } from "#lib/platform/database.ts";

/** True until the first workspace exists. */
export async function needsSetUp(): Promise<boolean> {
  return (await database().workspace.findFirst({ select: { id: true } })) === null;
}
