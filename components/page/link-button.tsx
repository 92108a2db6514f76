"use client";
import { Button, type ButtonProps } from "@mantine/core";
import Link from "next/link";
import { type ComponentPropsWithoutRef, lazy, type ReactNode, Suspense } from "react";
import { useAccess } from "#components/api/use-api.ts";
import type { Scope } from "#lib/access.ts";

const Explained = lazy(() => import("./explained.tsx"));

interface GuardedButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps> {
  /** What pressing it needs. */
  readonly scope: Scope;
  /** Why it cannot be pressed by anybody now. */
  readonly obstacle?: string;
}

/** A button that says why it cannot be pressed, to those whose role does not allow what it does. */
export function GuardedButton({ scope, obstacle, onClick, ...button }: GuardedButtonProps) {
  const refusal = useAccess().refusal(scope) ?? obstacle;
  if (refusal === undefined) return <Button {...button} onClick={onClick} />;
  // Not `disabled`: that would take it from the keyboard, and its explanation with it.
  const refused = <Button {...button} type="button" data-disabled aria-disabled aria-description={refusal} />;
  return (
    <Suspense fallback={refused}>
      <Explained why={refusal}>{refused}</Explained>
    </Suspense>
  );
}

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
