import { settleAll } from "#components/deletion/put-off.ts";
import { callAuth } from "./call-auth.ts";

/** Signs out, and goes on from there. */
export async function leave(next: string): Promise<void> {
  await settleAll();
  window.location.assign(await callAuth("signout", { callbackUrl: next }));
}
