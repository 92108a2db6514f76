import { database } from "#lib/platform/database.ts";
import type { Actor } from "./actor.ts";

/** Whether the actor belongs to the operators' workspace: the first one, created by set-up. */
export async function isOperator({ workspaceId }: Actor): Promise<boolean> {
  const orderBy = [{ createdAt: "asc" as const }, { id: "asc" as const }];
  const first = await database().workspace.findFirst({ orderBy, select: { id: true } });
  return first?.id === workspaceId;
}
