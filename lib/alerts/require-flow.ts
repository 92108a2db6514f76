import type { Actor } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";

/** Throws VALIDATION_ERROR (`flowId`) for a flow that the workspace does not have. */
export async function requireFlow({ workspaceId }: Actor, flowId: string | null | undefined): Promise<void> {
  if (flowId === null || flowId === undefined) return;
  const flow = await database().flow.findFirst({ where: { id: flowId, workspaceId }, select: { id: true } });
  if (flow !== null) return;
  throw new AppError("VALIDATION_ERROR", "The request body is not valid", {
    details: { flowId: "there is no such flow" },
  });
}
