import { tierQuotas } from "#lib/access.ts";
import type { Actor } from "#lib/auth/actor.ts";
import { readQuota } from "#lib/auth/quota.ts";
import type { ShownUsage } from "#lib/contract/workspaces.ts";
import { iso } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";

/** What the workspace has used of its quota, and how long the service keeps runs. */
export async function readUsage({ workspaceId, tier }: Actor): Promise<ShownUsage> {
  const { used, resetAt } = await readQuota(workspaceId);
  const limit = env().rateLimit ? tierQuotas[tier] : null;
  return { tier, requests: { used, limit, resetAt: iso(resetAt) }, retentionDays: env().retentionDays ?? null };
}
