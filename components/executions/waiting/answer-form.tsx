import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useAccess, useChange } from "#components/api/use-api.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { CallWait } from "#lib/contract/executions/waits.ts";
import type { Json, JsonObject } from "#lib/engine/json.ts";
import type { FormField, WaitForm } from "#lib/engine/wait-form.ts";
import styles from "./answer-form.module.css";

interface AnswerFormProps {
  readonly runId: string;
  readonly wait: CallWait;
  readonly form: WaitForm;
}

const nameOf = ({ label, name }: FormField) => label ?? name;

/** The form that a run waits for, answered on the run's page. */
export function AnswerForm({ runId, wait, form }: AnswerFormProps) {
  const { nodeId, nodeName, iteration } = wait;
  const [values, setValues] = useState<JsonObject>(() =>
    Object.fromEntries(form.fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
  );
  const answer = useChange({
    run: (api, action: string | null) =>
      api.call("resumeNode", {
        params: { id: runId, nodeId },
        query: { iteration: iteration ?? undefined },
        body: { ...values, ...(action !== null && { action }) },
      }),
    stale: ["runs", "approvals"],
    done: `${nodeName} is answered. The run continues.`,
  });
  const { error } = answer;
  const problems = error instanceof ApiError && error.code === "VALIDATION_ERROR" ? error.details : {};
  const isPlaced = form.fields.some(({ name }) => Object.hasOwn(problems, name));
  const actions = form.actions ?? [{ id: null, label: "Submit" }];
  // Enter in a field does not choose between several answers.
  const isDecision = actions.length > 1;
  const refusal = useAccess().refusal("executions:write");
  const send = (action: string | null) => {
    if (!answer.isPending && refusal === null) answer.mutate(action);
  };
  return (
    <form
      className={styles.form}
      aria-label={form.title ?? nodeName}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDecision) send(actions[0]?.id ?? null);
      }}
    >
      {form.description !== undefined && <p className={styles.description}>{form.description}</p>}
      {form.fields.map((field) => (
        <AnswerField
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
          problem={typeof problems[field.name] === "string" ? `${nameOf(field)} ${problems[field.name]}` : undefined}
        />
      ))}
      {error !== null && !isPlaced && (
        <p role="alert" className={styles.problem}>
          The answer was not accepted. {explainFailure(error).why}
        </p>
      )}
      <div className={styles.actions}>
        {actions.map(({ id, label }, index) => (
          <GuardedButton
            key={id ?? ""}
            type={isDecision ? "button" : "submit"}
            {...(isDecision && { onClick: () => send(id) })}
            scope="executions:write"
            variant={index === 0 ? "filled" : "default"}
            loading={answer.isPending && answer.variables === id}
            leftSection={index === 0 && <IconCheck size={16} aria-hidden="true" />}
          >
            {label ?? id}
          </GuardedButton>
        ))}
      </div>
    </form>
  );
}

interface AnswerFieldProps {
  readonly field: FormField;
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
  readonly problem: string | undefined;
}

function AnswerField({ field, value, onChange, problem }: AnswerFieldProps) {
  const common = { label: nameOf(field), withAsterisk: field.required, error: problem };
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  if (field.type === "checkbox") {
    return (
      <Checkbox
        label={common.label}
        error={problem}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (field.type === "textarea") {
    return (
      <Textarea
        {...common}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        autosize
        minRows={2}
      />
    );
  }
  if (field.type === "number")
    return <NumberInput {...common} value={text} onChange={(next) => onChange(String(next))} hideControls />;
  if (field.type === "select") {
    return (
      <NativeSelect
        {...common}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[{ value: "", label: "Choose" }, ...(field.options ?? [])]}
      />
    );
  }
  return (
    <TextInput {...common} type={field.type} value={text} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}
