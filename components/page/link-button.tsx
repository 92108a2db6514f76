"use client";
import { Button, type ButtonProps } from "@mantine/core";
import { type ComponentPropsWithoutRef, lazy, type ReactNode, Suspense } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { Link } from "#components/page/link.tsx";
import type { Scope } from "#lib/access.ts";

const Explained = lazy(() => import("./explained.tsx"));

interface GuardedButtonProps extends ButtonProps, Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps> {
  /** The scope that it needs. */
  readonly scope: Scope;
  /** Why it is disabled for everyone. */
  readonly obstacle?: string;
}

/** A button that explains why it is disabled for people whose role does not allow the action. */
export function GuardedButton({ scope, obstacle, onClick, ...button }: GuardedButtonProps) {
  const refusal = useAccess().refusal(scope) ?? obstacle;
  if (refusal === undefined) return <Button {...button} onClick={onClick} />;
  // Not `disabled`: that would remove it, and its explanation, from the keyboard.
  const refused = <Button {...button} type="button" data-disabled aria-disabled aria-description={refusal} />;
  return (
    <Suspense fallback={refused}>
      <Explained why={refusal}>{refused}</Explained>
    </Suspense>
  );
}

interface LinkButtonProps {
  readonly href: string;
  /** A secondary action. */
  readonly isSecond?: boolean;
  /** The scope that the linked action needs; others see why it is disabled. */
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
