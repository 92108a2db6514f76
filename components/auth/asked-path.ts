const firstPage = "/";

/** Which page to show after signing in: the one that was asked for if it is of this site, else the first. */
export function pageAfterSignIn(asked: unknown): string {
  if (typeof asked !== "string" || !asked.startsWith("/")) return firstPage;
  const here = "http://here.invalid";
  // Read as a browser reads it: `\` is `/` and tabs and line breaks are nothing, so `/\example.com` is a foreign site.
  if (!URL.canParse(asked, here)) return firstPage;
  const { origin, pathname, search, hash } = new URL(asked, here);
  // `/.//example.com` is of this site, but what is left of it once its dots are resolved is not.
  if (origin !== here || pathname.startsWith("//")) return firstPage;
  return `${pathname}${search}${hash}`;
}

/** The sign-in page that leads on to the page that was asked for. */
export function signInAddress(asked: string | null): string {
  const next = pageAfterSignIn(asked);
  return next === firstPage ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`;
}
