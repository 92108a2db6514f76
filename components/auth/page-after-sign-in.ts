const firstPage = "/";

/** The page to show after signing in: the requested one if it belongs to this site, else the first. */
export function pageAfterSignIn(path: unknown): string {
  if (typeof path !== "string" || !path.startsWith("/")) return firstPage;
  const here = "http://here.invalid";
  // Parsed as browsers do: `\` is `/`, and tabs and line breaks are dropped, so `/\example.com` is a foreign site.
  if (!URL.canParse(path, here)) return firstPage;
  const { origin, pathname, search, hash } = new URL(path, here);
  // `/.//example.com` belongs to this site, but not what remains once its dots are resolved.
  if (origin !== here || pathname.startsWith("//")) return firstPage;
  return `${pathname}${search}${hash}`;
}

/** The sign-in page's URL, which continues to the requested page. */
export function signInAddress(path: string | null): string {
  const next = pageAfterSignIn(path);
  return next === firstPage ? "/sign-in" : `/sign-in?${new URLSearchParams({ next })}`;
}
