import { type NextRequest, NextResponse } from "next/server";

/** Tells the layout, which cannot see the address, the page that was asked for: signing in leads back to it. */
export function proxy({ headers, nextUrl }: NextRequest): NextResponse {
  const told = new Headers(headers);
  told.set("x-asked-path", `${nextUrl.pathname}${nextUrl.search}`);
  return NextResponse.next({ request: { headers: told } });
}

/** Pages only: calls of the API do not take this way. */
export const config = { matcher: ["/flows/:path*", "/runs/:path*"] };
