import { randomUUID } from "node:crypto";
import { AppError } from "#lib/errors.ts";
import { errorAnswer } from "./envelope.ts";

const cookieName = /^(?:__Secure-)?next-auth\.callback-url$/;

/**
 * The answer to a sign-in request that names no page to return to, which next-auth would answer with an empty 500: 400
 * for its `callbackUrl`; for a cookie from an earlier visit, the same request again without it. Null if all is well.
 */
export function refuseCallback(request: Request): Response | null {
  const headers = { "x-request-id": randomUUID() };
  const requested = new URL(request.url).searchParams.get("callbackUrl");
  if (requested !== null && !isPage(requested)) {
    return errorAnswer(new AppError("VALIDATION_ERROR", "callbackUrl must be a path or an HTTP URL"), headers);
  }
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim().split("="));
  const stale = cookies.find(([name = "", value = ""]) => cookieName.test(name) && !isPage(decoded(value)));
  if (stale === undefined) return null;
  const secure = stale[0]?.startsWith("__Secure-") ? "; Secure" : "";
  const { pathname, search } = new URL(request.url);
  const cleared = `${stale[0]}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure}`;
  return new Response(null, {
    status: 307,
    headers: { ...headers, location: pathname + search, "set-cookie": cleared },
  });
}

/** The rule of next-auth. */
function isPage(url: string): boolean {
  if (url === "") return true;
  if (url.startsWith("/")) return URL.canParse(url, "http://localhost");
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "%";
  }
}
