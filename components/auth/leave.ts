import { settleAll } from "#components/deletion/put-off.ts";

/** Signs out, and goes on from there. */
export async function leave(next: string): Promise<void> {
  await settleAll();
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: next });
}
