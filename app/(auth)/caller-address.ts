import { headers } from "next/headers";
import { callerAddress as addressOf } from "#lib/http/authenticate.ts";

/** Where a form was sent from; null when nothing tells. */
export async function callerAddress(): Promise<string | null> {
  return addressOf((await headers()).get("x-forwarded-for"));
}
