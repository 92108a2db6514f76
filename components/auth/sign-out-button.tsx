"use client";

import { Button } from "@mantine/core";

/** Signs out, and leads to signing in and on from there. */
export function SignOutButton({ next, children }: { readonly next: string; readonly children: string }) {
  const leave = async () => {
    const { signOut } = await import("next-auth/react");
    await signOut({ callbackUrl: next });
  };
  return (
    <Button variant="default" onClick={() => void leave()}>
      {children}
    </Button>
  );
}
