"use client";
import { Button, PasswordInput, TextInput, type TextInputProps } from "@mantine/core";
import { useForm } from "@mantine/form";
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

const fieldProps = { required: true, withAsterisk: false } as const;

/** What `field` of `useEntryForm` gives an input. */
type FieldProps = Pick<TextInputProps, "name" | "error" | "defaultValue" | "onChange" | "autoFocus">;

export function NameField(field: FieldProps) {
  return <TextInput label="Your name" autoComplete="name" autoFocus {...field} {...fieldProps} />;
}

export function EmailField(field: FieldProps) {
  return <TextInput type="email" label="Email" autoComplete="username" {...field} {...fieldProps} />;
}

const revealable = { visibilityToggleButtonProps: { "aria-label": "Show password" } };

export function PasswordField(field: FieldProps) {
  return <PasswordInput label="Password" autoComplete="current-password" {...revealable} {...field} {...fieldProps} />;
}

export function NewPasswordField({ label = "Password", ...field }: FieldProps & { readonly label?: string }) {
  const shown = { label, description: "At least 8 characters.", autoComplete: "new-password" };
  return <PasswordInput {...shown} {...revealable} {...field} {...fieldProps} />;
}

export function WorkspaceField(field: FieldProps) {
  const shown = { label: "Workspace", description: "The name of your team or company.", autoComplete: "organization" };
  return <TextInput {...shown} {...field} {...fieldProps} />;
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

/**
 * A form before sign-in: submits it, and keeps the input if it is refused. It is an action, because React replays what
 * is submitted before the page's scripts have loaded; the browser alone would put the input, including the password,
 * into the URL.
 */
export function useEntryForm<Values extends Readonly<Record<string, string>>>(
  initialValues: Values,
  send: (values: Values) => Promise<EntryAnswer>,
  then: (answer: EntryAnswer) => void,
) {
  const form = useForm<Values>({ mode: "uncontrolled", initialValues });
  const [last, action, isSending] = useActionState<EntryAnswer | null, FormData>(async (_before, data) => {
    // From the inputs: `form` has not seen what was typed before the page's scripts had loaded.
    const typed = Object.keys(initialValues).map((name) => [name, String(data.get(name) ?? "")]);
    const answer = await send(Object.fromEntries(typed)).catch(() => unreachable);
    form.setErrors(answer.done ? {} : answer.fields);
    if (answer.done) then(answer);
    return answer;
  }, null);
  // After success the next page is loading.
  const busy = isSending || last?.done === true;
  /** An error that belongs to no field. */
  const problem = busy || last === null || Object.keys(last.fields).length > 0 ? null : last.message;
  /** An input's props. Its error disappears when it is edited. */
  const field = (name: keyof Values & string): FieldProps => {
    const { defaultValue, onChange, error } = form.getInputProps(name);
    return { name, defaultValue, onChange, error: busy ? null : error };
  };
  // React resets the form after an action, but refused input should be corrected, not typed again.
  const onReset = (event: FormEvent) => event.preventDefault();
  return { busy, problem, field, action, onReset };
}
