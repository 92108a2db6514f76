/** Signs out, and goes on from there. */
export async function leave(next: string): Promise<void> {
  const { signOut } = await import("next-auth/react");
  await signOut({ callbackUrl: next });
}
