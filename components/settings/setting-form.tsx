"use client";

import type { FormEvent, ReactNode } from "react";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import styles from "./settings-section.module.css";

interface SettingFormProps {
  readonly change: { readonly isPending: boolean; readonly mutate: (given: undefined) => void };
  /** "Save the name". */
  readonly submit: string;
  /** There is nothing to save yet. */
  readonly isSame: boolean;
  readonly children: ReactNode;
}

/** A setting of the workspace, changed by those who may. */
export function SettingForm({ change, submit, isSame, children }: SettingFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined);
  };
  return (
    <form onSubmit={send} className={styles.fields} noValidate>
      {children}
      <div>
        <GuardedButton
          scope="members:write"
          type="submit"
          variant="default"
          loading={change.isPending}
          disabled={isSame}
        >
          {submit}
        </GuardedButton>
      </div>
    </form>
  );
}
