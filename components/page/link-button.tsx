"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";

interface LinkButtonProps {
  readonly href: string;
  /** Not the one thing to do next, but another. */
  readonly isSecond?: boolean;
  readonly children: ReactNode;
}

/** A link that looks like a button. */
export function LinkButton({ href, isSecond = false, children }: LinkButtonProps) {
  return (
    <Button component={Link} href={href} variant={isSecond ? "default" : "filled"}>
      {children}
    </Button>
  );
}
