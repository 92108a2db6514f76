"use client";

import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import { useAccess } from "#components/api/use-access.ts";
import type { Scope } from "#lib/access.ts";

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
  return (
    <Tooltip label={refusal} events={{ hover: true, focus: true, touch: true }} multiline maw={280}>
      <Button {...button} type="button" data-disabled aria-disabled aria-description={refusal} />
    </Tooltip>
  );
}
