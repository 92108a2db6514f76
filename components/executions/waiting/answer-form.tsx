import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { IconCheck } from "@tabler/icons-react";
import { useAccess } from "#components/api/use-api.ts";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { GuardedButton } from "#components/page/link-button.tsx";
import type { CallWait } from "#lib/contract/executions/waits.ts";
import type { FormField, WaitForm } from "#lib/engine/wait-form.ts";
import styles from "./answer-form.module.css";

interface AnswerFormProps {
  readonly runId: string;
  readonly wait: CallWait;
  readonly form: WaitForm;
}

type Answers = Readonly<Record<string, string | number | boolean>>;

/** The form that a run waits for, answered on the run's page. */
export function AnswerForm({ runId, wait, form: { fields, ...asked } }: AnswerFormProps) {
  const { nodeId, nodeName, iteration } = wait;
  const labels = new Map(fields.map(({ name, label }) => [name, label ?? name]));
  const {
    form,
    change: answer,
    problem,
  } = useApiForm({
    initialValues: Object.fromEntries(fields.map((field) => [field.name, initialAnswer(field)])) as Answers,
    run: (api, values, action: string | null) =>
      api.call("resumeNode", {
        params: { id: runId, nodeId },
        query: { iteration: iteration ?? undefined },
        body: { ...values, ...(action !== null && { action }) },
      }),
    labelOf: (name) => labels.get(name) ?? name,
    stale: ["runs", "approvals"],
    done: `${nodeName} is answered. The run continues.`,
  });
  const actions = asked.actions ?? [{ id: null, label: "Submit" }];
  // Enter in a field does not choose between several answers.
  const isDecision = actions.length > 1;
  const refusal = useAccess().refusal("executions:write");
  const send = (action: string | null) => {
    if (!answer.isPending && refusal === null) answer.mutate(action);
  };
  return (
    <form
      className={styles.form}
      aria-label={asked.title ?? nodeName}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDecision) send(actions[0]?.id ?? null);
      }}
    >
      {asked.description !== undefined && <p className={styles.description}>{asked.description}</p>}
      {fields.map((field) => (
        <AnswerField
          key={field.name}
          field={field}
          input={form.getInputProps(field.name, { type: field.type === "checkbox" ? "checkbox" : "input" })}
        />
      ))}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          The answer was not accepted. {problem}
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

function initialAnswer({ type, value }: FormField): string | boolean {
  return type === "checkbox" ? value === true : String(value ?? "");
}

interface AnswerFieldProps {
  readonly field: FormField;
  readonly input: GetInputPropsReturnType;
}

function AnswerField({ field: { name, label = name, type, required, options = [] }, input }: AnswerFieldProps) {
  if (type === "checkbox") {
    const mark = required && (
      <span className={styles.mark} aria-hidden="true">
        {" *"}
      </span>
    );
    return (
      <Checkbox
        label={
          <>
            {label}
            {mark}
          </>
        }
        {...input}
      />
    );
  }
  const common = { label, withAsterisk: required, ...input };
  if (type === "textarea") return <Textarea {...common} autosize minRows={2} />;
  if (type === "number") return <NumberInput {...common} hideControls />;
  if (type === "select") return <NativeSelect {...common} data={[{ value: "", label: "Choose" }, ...options]} />;
  return <TextInput {...common} type={type} />;
}
