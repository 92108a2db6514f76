"use client";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { type Scope, scopes } from "#lib/access.ts";
import { readingScopes, scopesBySubject } from "./api-key-list.tsx";
import styles from "./scope-choice.module.css";

const days = [
  { value: "", label: "Never" },
  { value: "7", label: "In a week" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];
const accesses = [
  { value: "all", label: "Full access" },
  { value: "reading", label: "Read only" },
  { value: "chosen", label: "Selected scopes" },
];

/** Asks for a key's name, access and expiry, then shows the key once. */
export function NewApiKey({ onClose }: { readonly onClose: () => void }) {
  const { form, change, problem } = useApiForm({
    // Days until the key expires.
    initialValues: { name: "", access: "all", scopes: readingScopes, expiresAt: "90" },
    run: (api, { name, access, scopes: chosen, expiresAt: days }) => {
      const given = { all: [...scopes], reading: [...readingScopes] }[access] ?? [...chosen];
      const expiresAt = days === "" ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
      return api.call("createApiKey", { body: { name, scopes: given, expiresAt } });
    },
    stale: ["api-keys"],
  });
  if (change.data !== undefined) {
    return (
      <SecretOnce
        title={`The key ${change.data.name}`}
        text="Copy it now: it is not shown again. Programs send it as Authorization: Bearer."
        secret={change.data.key}
        copyLabel="Copy key"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title="New API key" submit="Create key" change={change} problem={problem} onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description="The program that will use it."
        placeholder="Order import"
        {...form.getInputProps("name")}
        maxLength={255}
      />
      <NativeSelect label="Access" data={accesses} {...form.getInputProps("access")} />
      {form.values.access === "chosen" && <ScopeChoice value={form.values.scopes} {...form.getInputProps("scopes")} />}
      <NativeSelect label="Expires" data={days} {...form.getInputProps("expiresAt")} />
    </FormDialog>
  );
}

interface ScopeChoiceProps {
  readonly value: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
  readonly error?: ReactNode;
}

/** A key's access, resource by resource. */
function ScopeChoice({ value: chosen, onChange, error }: ScopeChoiceProps) {
  const toggle = (scope: Scope) =>
    onChange(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope]);
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>Scopes</legend>
      {scopesBySubject.map(([subject, scopes]) => (
        <div key={subject} className={styles.subject}>
          <span className={styles.name}>{subject}</span>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              size="xs"
              label={scope.split(":")[1]}
              aria-label={scope}
              checked={chosen.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </div>
      ))}
      {error && <p className={styles.problem}>{error}</p>}
    </fieldset>
  );
}
