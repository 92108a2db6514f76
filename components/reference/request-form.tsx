"use client";

import { lazy, Suspense, useState } from "react";
import { RequestActions } from "./request-actions.tsx";
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
  const key = as.kind === "key" ? as.key.trim() : "";
  const missing = missingFields(operation, values);
  const needsKey = as.kind === "key" && !access.isOpen && key === "";
  const obstacle = missing.length > 0 ? `Fill in ${missing.join(", ")} first.` : needsKey ? "Paste a key first." : null;
  const send = () => request.send(requestOf(operation, { values, body, key }));
  return (
    <form
      className={styles.form}
      aria-label={`Try ${method} ${path}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (obstacle === null) send();
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
      <RequestActions operation={operation} obstacle={obstacle} request={request} />
      <RequestAnswer answer={request.answer} problem={request.problem} />
    </form>
  );
}
