"use client";

import { Button } from "@mantine/core";
import { useSignOut } from "./sign-out.tsx";

/** Signs out, then offers sign-in and returns to this page. */
export function SignOutButton({ next, children }: { readonly next: string; readonly children: string }) {
  const { signOut, question } = useSignOut(next);
  return (
    <>
      <Button variant="default" onClick={signOut}>
        {children}
      </Button>
      {question}
    </>
  );
}
