import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";

const development = process.env.NODE_ENV === "development";
// A preview on Vercel has an address of its own: see publicUrlOf in lib/platform/env.ts.
const publicUrl = process.env.VERCEL_ENV === "preview" ? undefined : process.env.PUBLIC_URL;
const secure = publicUrl?.startsWith("https:") === true;
const yearSeconds = 31_536_000;

/**
 * What a page may load and run: scripts and style sheets of this site that carry the nonce of this very answer, and
 * what those load in turn. `style` attributes are allowed without one: React writes them for sizes and positions that
 * are known only at run time, they run nothing, and an attribute cannot carry a nonce.
 */
function contentSecurityPolicy(nonce: string): string {
  // React's own debugging, in development alone.
  const debugging = development ? " 'unsafe-eval'" : "";
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${debugging}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Every page gets a policy with a nonce of its own, which Next puts on its scripts; and the layout, which cannot see
 * the address, gets the requested page's path, so that signing in leads back to it.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  return (await elsewhere(request)) ?? answerHere(request);
}

/** Loaded only where there are two hosts: it reads all settings, and this file is loaded before the first answer. */
async function elsewhere({ method, headers, nextUrl }: NextRequest): Promise<NextResponse | undefined> {
  if (!process.env.TRIGGER_ORIGIN) return undefined;
  const { misdirected } = await import("#lib/http/trigger/trigger-host.ts");
  const answer = misdirected({ method, header: (name) => headers.get(name) }, nextUrl.pathname + nextUrl.search);
  return answer === null ? undefined : NextResponse.json(answer.body, answer);
}

function answerHere({ headers, nextUrl }: NextRequest): NextResponse {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const forwarded = new Headers(headers);
  forwarded.set("x-requested-path", `${nextUrl.pathname}${nextUrl.search}`);
  forwarded.set("x-origin", publicUrl ?? nextUrl.origin);
  forwarded.set("x-nonce", nonce);
  forwarded.set("content-security-policy", policy);
  const answer = NextResponse.next({ request: { headers: forwarded } });
  answer.headers.set("content-security-policy", policy);
  if (secure) answer.headers.set("strict-transport-security", `max-age=${yearSeconds}; includeSubDomains`);
  return answer;
}

/** Pages only: API calls and the files of `public/` pass by. */
export const config = { matcher: ["/((?!api/|v1/|_next/|[\\w-]+\\.(?:ico|svg|png|txt|webmanifest)$).*)"] };
