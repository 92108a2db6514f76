import { randomUUID } from "node:crypto";
import { allEndpoints } from "#lib/contract/all.ts";
import { AppError, notFound } from "#lib/errors.ts";
import { plainError } from "./envelope.ts";
import type { PlainAnswer } from "./plain-answer.ts";

const apiPath = /^\/(?:api\/)?v1(\/[^?]*)/;
/** What Next hands to a route file. Other methods, such as TRACE, it answers with nothing or with a bare 500. */
const routed = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The refusal of a method that reaches no route file; null for a request that does, or that is for a page. */
export function refuseUnroutedMethod(method: string, url: string): PlainAnswer | null {
  const path = apiPath.exec(url)?.[1];
  if (path === undefined || routed.includes(method)) return null;
  const headers = { "x-request-id": randomUUID() };
  const allow = methodsOf(path).join(", ");
  if (allow === "") return plainError(notFound("Path"), headers);
  const error = new AppError("METHOD_NOT_ALLOWED", `This path takes ${allow}, not ${method}`);
  return plainError(error, { ...headers, allow });
}

function methodsOf(path: string): string[] {
  const steps = path.replace(/\/$/, "").split("/");
  const found = allEndpoints.filter((endpoint) => {
    const own = endpoint.path.split("/");
    return own.length === steps.length && own.every((step, at) => step.startsWith(":") || step === steps[at]);
  });
  if (found.length === 0) return [];
  const taken = new Set<string>(found.map(({ method }) => method));
  return routed.filter((method) => method === "OPTIONS" || taken.has(method === "HEAD" ? "GET" : method));
}
