"use client";
import { NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { type GetInputPropsReturnType, type UseFormReturnType, useForm } from "@mantine/form";
import { lazy, Suspense } from "react";
import type { Access, Tryable, TryableField } from "./operation.ts";
import { RequestActions } from "./request-actions.tsx";
import { RequestAnswer } from "./request-answer.tsx";
import styles from "./request-form.module.css";
import { useRequest } from "./send-request.ts";

interface RequestKeyProps {
  readonly access: Access;
  readonly form: UseFormReturnType<ReturnType<typeof initialValues>>;
}

const sessionChoice = { value: "session", label: "You, signed in here" };
const keyChoice = { value: "key", label: "An API key" };

/** Who calls: the signed-in member, or a program with a key. */
function RequestKey({ access, form }: RequestKeyProps) {
  const choices = [...(access.takesSessions ? [sessionChoice] : []), ...(access.takesKeys ? [keyChoice] : [])];
  return (
    <>
      <NativeSelect label="Send as" data={choices} {...form.getInputProps("as.kind")} />
      {form.values.as.kind === "key" && (
        <PasswordInput
          label="Key"
          description="Sent with this request only, and never stored."
          autoComplete="off"
          data-1p-ignore
          spellCheck={false}
          {...form.getInputProps("as.key")}
        />
      )}
    </>
  );
}

/** The parameters' values by place and name, such as `query.limit`; empty text is left out. */
export type FieldValues = Readonly<Record<TryableField["in"], Readonly<Record<string, string>>>>;

export interface Filled {
  readonly values: FieldValues;
  /** As written, JSON or not. */
  readonly body: string;
  /** The key to send; empty for the session. */
  readonly key: string;
}

/** The request from the form: its URL at this origin, and the options for `fetch`. */
export function requestOf(operation: Tryable, { values, body, key }: Filled): { url: string; init: RequestInit } {
  const given = operation.fields.flatMap((field) => {
    const value = values[field.in][field.name] ?? "";
    return value === "" ? [] : [{ ...field, value }];
  });
  const inPath = new Map(given.filter((field) => field.in === "path").map(({ name, value }) => [name, value]));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ""));
  const query = new URLSearchParams(
    given.filter((field) => field.in === "query").map(({ name, value }) => [name, value]),
  );
  const hasBody = operation.body !== null && body.trim() !== "";
  const headers = [
    ...given.filter((field) => field.in === "header").map(({ name, value }): [string, string] => [name, value]),
    ...(key === "" ? [] : [["Authorization", `Bearer ${key}`] as [string, string]]),
    ...(hasBody ? [["Content-Type", "application/json"] as [string, string]] : []),
  ];
  return {
    url: `${operation.base}${path}${query.size > 0 ? `?${query}` : ""}`,
    init: {
      method: operation.method,
      headers,
      // With a key, like a program: without this browser's session.
      credentials: key === "" && !operation.access.isOpen ? "same-origin" : "omit",
      ...(hasBody ? { body } : {}),
    },
  };
}

/** Names of required fields that are empty. */
export function missingFields({ fields }: Tryable, values: FieldValues): string[] {
  return fields.filter((field) => field.isRequired && !values[field.in][field.name]?.trim()).map(({ name }) => name);
}

const BodyEditor = lazy(() => import("./body-editor.tsx"));

function initialValues({ access, fields, body }: Tryable) {
  const empty = (place: TryableField["in"]) =>
    Object.fromEntries(fields.filter((field) => field.in === place).map(({ name }) => [name, ""]));
  return {
    as: { kind: access.takesSessions ? "session" : "key", key: "" },
    path: empty("path"),
    query: empty("query"),
    header: empty("header"),
    body: body ?? "",
  };
}

/** The form and the answer. Stores nothing, not even the key. */
export default function RequestForm({ operation }: { readonly operation: Tryable }) {
  const { method, path, fields, access } = operation;
  const form = useForm({ initialValues: initialValues(operation) });
  const { as, body, ...values } = form.values;
  const request = useRequest();
  const key = as.kind === "key" ? as.key.trim() : "";
  const missing = missingFields(operation, values);
  const needsKey = as.kind === "key" && !access.isOpen && key === "";
  const obstacle = missing.length > 0 ? `Fill in ${missing.join(", ")} first.` : needsKey ? "Paste a key first." : null;
  const send = () => request.send(requestOf(operation, { values, body, key }));
  return (
    <form
      className={styles.form}
      aria-label={`Try ${method} ${path}`}
      onSubmit={form.onSubmit(() => {
        if (obstacle === null) send();
      })}
    >
      {!access.isOpen && <RequestKey access={access} form={form} />}
      {fields.map((field) => (
        <RequestField
          key={`${field.in}.${field.name}`}
          field={field}
          input={form.getInputProps(`${field.in}.${field.name}`)}
        />
      ))}
      {operation.body !== null && (
        <div className={styles.body}>
          <p className={styles.label}>Body</p>
          <Suspense fallback={<pre className={styles.waiting}>{body}</pre>}>
            <BodyEditor {...form.getInputProps("body")} value={body} />
          </Suspense>
        </div>
      )}
      <RequestActions operation={operation} obstacle={obstacle} request={request} />
      <RequestAnswer answer={request.answer} problem={request.problem} />
    </form>
  );
}

interface RequestFieldProps {
  readonly field: TryableField;
  readonly input: GetInputPropsReturnType;
}

/** A parameter's input; not sent while it is empty. */
function RequestField({ field: { name, isRequired, example, options }, input }: RequestFieldProps) {
  const common = { label: name, required: isRequired, ...input };
  if (options.length > 0) {
    const none = isRequired ? [] : [{ value: "", label: "not sent" }];
    return (
      <NativeSelect {...common} data={[...none, ...options.map((option) => ({ value: option, label: option }))]} />
    );
  }
  return <TextInput {...common} placeholder={example} spellCheck={false} autoComplete="off" />;
}
