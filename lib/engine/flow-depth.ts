/** How many flows called one another to get here; flows may call each other's trigger URLs, but not without end. */
export const depthHeader = "x-millrace-depth";
export const depthMax = 5;

/** The depth that a call's headers tell; 0 for one from outside. */
export function depthOf(headers: Readonly<Record<string, string>>): number {
  const told = headers[depthHeader] ?? "";
  return /^\d{1,3}$/.test(told) ? Number(told) : 0;
}

/** True for an address that looks like a trigger URL of this service, under whatever name it is reached. */
export function isTriggerUrl(url: string): boolean {
  return URL.canParse(url) && /^\/(api\/)?v1\/webhooks\/hook_/.test(new URL(url).pathname);
}
