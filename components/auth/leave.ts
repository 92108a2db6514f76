import { callAuth } from "./call-auth.ts";

/** Signs out, and goes on from there. */
export async function leave(next: string): Promise<void> {
  window.location.assign(await callAuth("signout", { callbackUrl: next }));
}
