"use client";

import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import styles from "./entry-form.module.css";

interface EntryFormProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly action: string;
  readonly busy: boolean;
  /** What went wrong that belongs to no field. */
  readonly problem: string | null;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children?: ReactNode;
  /** Other ways on. */
  readonly footer?: ReactNode;
}

/** A form before one is signed in: a title, fields, one thing to do. */
export function EntryForm({ title, text, action, busy, problem, onSubmit, children, footer }: EntryFormProps) {
  return (
    <form onSubmit={onSubmit} className={styles.form}>
      <h1 className={styles.title}>{title}</h1>
      {text && <p className={styles.text}>{text}</p>}
      {children}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <Button type="submit" loading={busy} fullWidth>
        {action}
      </Button>
      {footer && <div className={styles.footer}>{footer}</div>}
    </form>
  );
}
