"use client";

import { Button } from "@mantine/core";
import { leave } from "./sign-in.ts";

/** Signs out, then offers sign-in and returns to this page. */
export function SignOutButton({ next, children }: { readonly next: string; readonly children: string }) {
  return (
    <Button variant="default" onClick={() => void leave(next)}>
      {children}
    </Button>
  );
}
