"use client";

import { Button } from "@mantine/core";
import { useSignOut } from "./sign-out.tsx";

interface SignOutButtonProps {
  readonly next: string;
  /** The id of who is signed in. */
  readonly user: string;
  readonly children: string;
}

/** Signs out, then offers sign-in and returns to this page. */
export function SignOutButton({ next, user, children }: SignOutButtonProps) {
  const { signOut, question } = useSignOut(next, user);
  return (
    <>
      <Button variant="default" onClick={signOut}>
        {children}
      </Button>
      {question}
    </>
  );
}
