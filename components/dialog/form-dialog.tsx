"use client";

import { Button, Group, Stack, Textarea, type TextareaProps } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { Dialog, useReturnedFocus } from "./dialog.tsx";
import styles from "./form-dialog.module.css";

interface FormDialogProps {
  readonly title: string;
  readonly submit: string;
  readonly size?: number;
  /** Submits the form. */
  readonly change: { readonly isPending: boolean; readonly mutate: (given: undefined) => void };
  /** The failure, if it belongs to no field. */
  readonly problem: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog: Enter submits, Escape closes. Mounted only while open. */
export function FormDialog({ title, submit, size = 520, change, problem, ...form }: FormDialogProps) {
  useReturnedFocus();
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <Dialog opened onClose={form.onClose} title={title} size={size} closesBeside={false}>
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          {form.children}
          {problem !== null && (
            <p role="alert" className={styles.problem}>
              {problem}
            </p>
          )}
          <Group justify="flex-end" gap="xs" className={styles.actions}>
            <Button variant="default" onClick={form.onClose}>
              Cancel
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

/** Several short values, one per line. */
export function LinesField(shown: TextareaProps) {
  return <Textarea autosize minRows={1} maxRows={5} spellCheck={false} {...shown} />;
}
