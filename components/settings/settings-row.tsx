"use client";
import { Button, Skeleton } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { GuardedButton } from "#components/page/link-button.tsx";
import type { Scope } from "#lib/access.ts";
import styles from "./settings-section.module.css";

interface SettingsRowProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** One setting: a description, and its control beside it. */
export function SettingsRow({ title, text, children }: SettingsRowProps) {
  return (
    <section className={styles.row}>
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.text}>{text}</p>
      </div>
      <div className={styles.controls}>{children}</div>
    </section>
  );
}

/** Placeholders for this many rows of settings. */
export function SettingsSkeleton({ rows }: { readonly rows: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they differ in nothing else
        <section key={row} className={styles.row}>
          <div>
            <Skeleton height={14} width={120} mt={3} />
            <Skeleton height={12} width={220} mt={10} />
          </div>
          <div className={styles.fields}>
            <Skeleton height="var(--control-height)" />
            <Skeleton height="var(--control-height)" width={110} />
          </div>
        </section>
      ))}
    </div>
  );
}

interface SettingFormProps {
  readonly change: { readonly isPending: boolean; readonly mutate: (given: undefined) => void };
  /** "Save the name". */
  readonly submit: string;
  /** Nothing has changed yet. */
  readonly isSame: boolean;
  /** The permission that it takes; none for what is one's own. */
  readonly scope?: Scope;
  readonly children: ReactNode;
}

/** A setting that is saved by itself. */
export function SettingForm({ change, submit, isSame, scope, children }: SettingFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  const button = {
    ...({ type: "submit", variant: "default", children: submit } as const),
    ...{ loading: change.isPending, disabled: isSame },
  };
  return (
    <form onSubmit={send} className={styles.fields} noValidate>
      {children}
      <div>{scope === undefined ? <Button {...button} /> : <GuardedButton scope={scope} {...button} />}</div>
    </form>
  );
}
