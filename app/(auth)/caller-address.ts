import { headers } from "next/headers";

/** Where a form was sent from; null when nothing tells. */
export async function callerAddress(): Promise<string | null> {
  return (await headers()).get("x-forwarded-for")?.split(",")[0]?.trim() ?? null;
}
