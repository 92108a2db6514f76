import { randomUUID } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { errorAnswer } from "#lib/http/envelope.ts";
import { serve } from "#lib/http/serve.ts";
import { inngestHandlers } from "#lib/runtime/inngest/serve-functions.ts";

/** Seconds that a call may take if the platform limits it; see INNGEST_MAX_RUNTIME_MS. */
export const maxDuration = 300;

/** Where Inngest calls this app's functions. Without its variables, there are none. */
const answer = (method: "GET" | "POST" | "PUT") => async (request: Request) => {
  const handlers = inngestHandlers();
  if (handlers !== null) return await handlers[method](request);
  const error = new AppError("NOT_FOUND", "Inngest is not configured here: the server drives runs itself");
  return errorAnswer(error, { "x-request-id": randomUUID() });
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve({
  GET: answer("GET"),
  POST: answer("POST"),
  PUT: answer("PUT"),
});
