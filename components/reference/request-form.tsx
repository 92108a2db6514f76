"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconPlayerStop, IconSend } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { RequestAnswer } from "./request-answer.tsx";
import { RequestField } from "./request-field.tsx";
import styles from "./request-form.module.css";
import { type CallAs, RequestKey } from "./request-key.tsx";
import { type FieldValues, fieldKey, missingFields, requestOf } from "./request-of.ts";
import type { Tryable } from "./tryable.ts";
import { useRequest } from "./use-request.ts";

const BodyEditor = lazy(() => import("./body-editor.tsx"));

/** What is filled in, and what came back. Nothing of it is stored, least of all the key. */
export default function RequestForm({ operation }: { readonly operation: Tryable }) {
  const { method, path, fields, access } = operation;
  const [values, setValues] = useState<FieldValues>({});
  const [body, setBody] = useState(operation.body ?? "");
  const [as, setAs] = useState<CallAs>({ kind: access.takesSessions ? "session" : "key", key: "" });
  const request = useRequest();
  const missing = missingFields(operation, values);
  const isDestructive = method === "DELETE";
  const key = as.kind === "key" ? as.key.trim() : "";
  const needsKey = as.kind === "key" && !access.isOpen && key === "";
  const send = () => request.send(requestOf(operation, { values, body, key }));
  return (
    <form
      className={styles.form}
      aria-label={`Try ${method} ${path}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (missing.length === 0 && !needsKey) send();
      }}
    >
      {!access.isOpen && <RequestKey access={access} value={as} onChange={setAs} />}
      {fields.map((field) => (
        <RequestField
          key={fieldKey(field)}
          field={field}
          value={values[fieldKey(field)] ?? ""}
          onChange={(value) => setValues({ ...values, [fieldKey(field)]: value })}
        />
      ))}
      {operation.body !== null && (
        <div className={styles.body}>
          <p className={styles.label}>Body</p>
          <Suspense fallback={<pre className={styles.waiting}>{body}</pre>}>
            <BodyEditor value={body} onChange={setBody} />
          </Suspense>
        </div>
      )}
      {method !== "GET" && (
        <p className={styles.warning} data-destructive={isDestructive || undefined}>
          <IconAlertTriangle size={16} aria-hidden="true" />
          {isDestructive
            ? "This really deletes, in this workspace. It cannot be undone."
            : "This really runs, in this workspace."}
        </p>
      )}
      <div className={styles.actions}>
        <Button
          type="submit"
          {...(isDestructive && { color: "red" })}
          loading={request.isSending && request.answer === null}
          disabled={missing.length > 0 || needsKey}
          leftSection={<IconSend size={16} aria-hidden="true" />}
        >
          {isDestructive ? "Send and delete" : "Send"}
        </Button>
        {request.isSending && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden="true" />}
            onClick={request.stop}
          >
            Stop
          </Button>
        )}
        {missing.length > 0 && <span className={styles.note}>Fill in {missing.join(", ")} first.</span>}
        {missing.length === 0 && needsKey && <span className={styles.note}>Paste a key first.</span>}
      </div>
      <RequestAnswer answer={request.answer} problem={request.problem} />
    </form>
  );
}
