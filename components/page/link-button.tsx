"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import { useAccess } from "#components/api/use-access.ts";
import type { Scope } from "#lib/access.ts";
import { GuardedButton } from "./guarded-button.tsx";

interface LinkButtonProps {
  readonly href: string;
  /** Not the one thing to do next, but another. */
  readonly isSecond?: boolean;
  /** What is done where it leads: to others it says why they cannot. */
  readonly scope?: Scope;
  readonly children: ReactNode;
}

/** A link that looks like a button. */
export function LinkButton({ href, isSecond = false, scope, children }: LinkButtonProps) {
  const { refusal } = useAccess();
  const variant = isSecond ? "default" : "filled";
  if (scope !== undefined && refusal(scope) !== null) {
    return (
      <GuardedButton scope={scope} variant={variant}>
        {children}
      </GuardedButton>
    );
  }
  return (
    <Button component={Link} href={href} variant={variant}>
      {children}
    </Button>
  );
}
