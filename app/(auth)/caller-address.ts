import { headers } from "next/headers";
import { callerAddress as addressOf } from "#lib/http/authenticate.ts";

/** The address a form was sent from; null if unknown. */
export async function callerAddress(): Promise<string | null> {
  return addressOf((await headers()).get("x-forwarded-for"));
}
