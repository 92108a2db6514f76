import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { type Actor, requireScope } from "#lib/auth/actor.ts";
import { AppError } from "#lib/errors.ts";
import { database } from "#lib/platform/database.ts";
import { env } from "#lib/platform/env.ts";
import { authenticate } from "./authenticate.ts";
import { errorAnswer } from "./envelope.ts";

/** Metrics as they are served. */
interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Answers a scraper that has METRICS_TOKEN, or may read the executions of the first workspace. Metrics cover all
 * workspaces, so nobody else may read them.
 */
export function answerMetrics(read: () => Promise<MetricsText>): (request: Request) => Promise<Response> {
  return async (request) => {
    const headers = { "x-request-id": randomUUID(), "cache-control": "no-store" };
    try {
      if (!showsToken(request)) await admitOperator(request);
      const { contentType, text } = await read();
      return new Response(text, { headers: { ...headers, "content-type": contentType } });
    } catch (error) {
      return errorAnswer(error, headers);
    }
  };
}

function showsToken(request: Request): boolean {
  const { metricsToken } = env();
  const shown = /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (metricsToken === undefined || shown === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(metricsToken), digest(shown));
}

async function admitOperator(request: Request): Promise<void> {
  const actor = await authenticate(request);
  requireScope(actor, "executions:read");
  if (await isOperator(actor)) return;
  throw new AppError("FORBIDDEN", "Metrics cover the whole installation: only its first workspace may read them", {
    details: { required: "METRICS_TOKEN" },
  });
}

/** Whether the actor belongs to the operators' workspace: the first one, created by set-up. */
async function isOperator({ workspaceId }: Actor): Promise<boolean> {
  const orderBy = [{ createdAt: "asc" as const }, { id: "asc" as const }];
  const first = await database().workspace.findFirst({ orderBy, select: { id: true } });
  return first?.id === workspaceId;
}
