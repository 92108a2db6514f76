"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";

/** A link that looks like a button, for the one thing to do next. */
export function LinkButton({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Button component={Link} href={href}>
      {children}
    </Button>
  );
}
