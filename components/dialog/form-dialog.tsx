"use client";

import { Button, Group, Stack, Textarea, type TextareaProps } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Dialog, useReturnedFocus } from "./dialog.tsx";
import styles from "./form-dialog.module.css";

interface FormDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly size?: number;
  /** Submits the form. */
  readonly change: { readonly isPending: boolean; readonly mutate: (given: undefined) => void };
  /** True if closing it stops the change. */
  readonly closesWhilePending?: boolean;
  /** The failure, if it belongs to no field. */
  readonly problem: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A form in a dialog: Enter submits, Escape closes. Mounted only while open. It stays until the change is answered: the
 * answer may hold a secret that is shown only once, or the reason why nothing was stored. If that takes long, it says so
 * and can be closed.
 */
export function FormDialog({ title, submit, size = 520, change, problem, ...form }: FormDialogProps) {
  useReturnedFocus();
  const mayLose = change.isPending && form.closesWhilePending !== true;
  const isLate = useLate(mayLose);
  const isKept = mayLose && !isLate;
  const close = () => {
    if (!isKept) form.onClose();
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <Dialog opened onClose={close} title={title} size={size} closesBeside={false}>
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          {form.children}
          {problem !== null && (
            <p role="alert" className={styles.problem}>
              {problem}
            </p>
          )}
          {isLate && (
            <p role="status" className={styles.late}>
              The server has not answered yet. You can close this, and check later whether it was done.
            </p>
          )}
          <Group justify="flex-end" gap="xs" className={styles.actions}>
            <Button variant="default" disabled={isKept} onClick={close}>
              {isLate ? "Close" : "Cancel"}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Milliseconds in which nearly every change is answered. */
const lateMs = 10_000;

/** Whether something has been pending for long. */
function useLate(isPending: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setIsLate(true), lateMs);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isPending]);
  return isLate;
}

/** Several short values, one per line. */
export function LinesField(shown: TextareaProps) {
  return <Textarea autosize minRows={1} maxRows={5} spellCheck={false} {...shown} />;
}
