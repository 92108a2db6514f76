"use client";

import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import styles from "./entry-form.module.css";

interface EntryFormProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** What the button says. */
  readonly verb: string;
  readonly busy: boolean;
  /** What went wrong that belongs to no field. */
  readonly problem: string | null;
  readonly action: (data: FormData) => void;
  readonly onReset: (event: FormEvent) => void;
  readonly children?: ReactNode;
  /** Other ways on. */
  readonly footer?: ReactNode;
}

/** A form before one is signed in: a title, fields, one thing to do. */
export function EntryForm({ title, text, verb, busy, problem, action, onReset, children, footer }: EntryFormProps) {
  return (
    <form action={action} onReset={onReset} className={styles.form}>
      <h1 className={styles.title}>{title}</h1>
      {text && <p className={styles.text}>{text}</p>}
      {children}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <Button type="submit" loading={busy} fullWidth>
        {verb}
      </Button>
      {footer && <div className={styles.footer}>{footer}</div>}
    </form>
  );
}
