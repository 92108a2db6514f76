import { serve } from "inngest/next";
import { NextRequest } from "next/server";
import { env } from "#lib/platform/env.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { inngest } from "./client.ts";
import { runExecution } from "./run-execution.ts";
import { upkeep } from "./upkeep.ts";

const servePath = "/api/inngest";

type Handler = (request: Request) => Promise<Response>;

/**
 * The SDK's handlers for Inngest's calls, created on first use because a build has no settings. Null unless Inngest is
 * configured.
 */
export function inngestHandlers(): Readonly<Record<"GET" | "POST" | "PUT", Handler>> | null {
  if (env().inngest === undefined) return null;
  return singleton("inngest-handlers", () => {
    const client = inngest();
    const handlers = serve({
      client,
      functions: [runExecution(client), ...upkeep(client)],
      serveOrigin: serveOrigin(),
      servePath,
    });
    const handler = (method: "GET" | "POST" | "PUT"): Handler => {
      return async (request) => await handlers[method](await asNextRequest(request), undefined);
    };
    return { GET: handler("GET"), POST: handler("POST"), PUT: handler("PUT") };
  });
}

/** The SDK needs a real NextRequest; what Next passes to a route file only looks like one. */
async function asNextRequest(request: Request): Promise<NextRequest> {
  const { url, method, headers } = request;
  const body = method === "GET" ? "" : await request.text();
  return new NextRequest(url, { method, headers, ...(body === "" ? {} : { body }) });
}

/** Registers these functions with Inngest; returns its error, or null on success. */
export async function register(): Promise<Record<string, unknown> | null> {
  const request = new Request(`${serveOrigin()}${servePath}`, { method: "PUT" });
  const answer = await inngestHandlers()?.PUT(request);
  if (answer === undefined) return { reason: "Inngest is not configured" };
  return answer.ok ? null : { status: answer.status, answer: await answer.text() };
}

/** Where Inngest reaches this server: in a private network, that may not be the public URL. */
function serveOrigin(): string {
  return env().inngest?.serveOrigin ?? env().publicUrl;
}
