"use client";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useActionState } from "react";
import { type EntryAnswer, unreachable } from "./entry-answer.ts";
import styles from "./entry-form.module.css";

interface EntryFormProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** The button's label. */
  readonly verb: string;
  readonly busy: boolean;
  /** An error that belongs to no field. */
  readonly problem: string | null;
  readonly action: (data: FormData) => void;
  readonly onReset: (event: FormEvent) => void;
  readonly children?: ReactNode;
  /** Alternatives to this form. */
  readonly footer?: ReactNode;
}

/** A form before sign-in: a title, fields, one action. */
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

interface FieldProps {
  readonly error: string | undefined;
}

const wanted = { required: true, withAsterisk: false } as const;

export function NameField({ error }: FieldProps) {
  return <TextInput name="name" label="Your name" autoComplete="name" autoFocus error={error} {...wanted} />;
}

export function EmailField({ error, autoFocus = false }: FieldProps & { readonly autoFocus?: boolean }) {
  const shown = { name: "email", type: "email", label: "Email", autoComplete: "username" };
  return <TextInput {...shown} autoFocus={autoFocus} error={error} {...wanted} />;
}

export function NewPasswordField({ error, label = "Password" }: FieldProps & { readonly label?: string }) {
  return (
    <PasswordInput
      name="password"
      label={label}
      description="At least 8 characters."
      autoComplete="new-password"
      error={error}
      visibilityToggleButtonProps={{ "aria-label": "Show password" }}
      {...wanted}
    />
  );
}

export function WorkspaceField({ error }: FieldProps) {
  const shown = { name: "workspaceName", label: "Workspace", description: "The name of your team or company." };
  return <TextInput {...shown} autoComplete="organization" error={error} {...wanted} />;
}

interface EntryNoticeProps {
  readonly title: string;
  readonly text: ReactNode;
  /** Links to other pages. */
  readonly children?: ReactNode;
}

/** A signed-out page without a form. */
export function EntryNotice({ title, text, children }: EntryNoticeProps) {
  return (
    <div className={styles.form}>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}

type FormText = (name: string) => string;

/**
 * A form before sign-in: submits it, and keeps the input if it is refused. It is an action, because React replays what
 * is submitted before the page's scripts have loaded; the browser alone would put the input, including the password,
 * into the URL.
 */
export function useEntryForm(send: (text: FormText) => Promise<EntryAnswer>, then: (answer: EntryAnswer) => void) {
  const [last, action, isSending] = useActionState<EntryAnswer | null, FormData>(async (_before, data) => {
    const answer = await send((name) => String(data.get(name) ?? "")).catch(() => unreachable);
    if (answer.done) then(answer);
    return answer;
  }, null);
  // After success the next page is loading.
  const busy = isSending || last?.done === true;
  const refusal = busy ? null : last;
  const problems = refusal?.fields ?? {};
  /** An error that belongs to no field. */
  const problem = refusal !== null && Object.keys(problems).length === 0 ? refusal.message : null;
  // React resets the form after an action, but refused input should be corrected, not typed again.
  const onReset = (event: FormEvent) => event.preventDefault();
  return { busy, problems, problem, action, onReset };
}
