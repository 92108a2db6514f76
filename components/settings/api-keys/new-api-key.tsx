"use client";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { SecretOnce } from "#components/dialog/secret-once.tsx";
import { type Scope, scopes } from "#lib/access.ts";
import { readingScopes, scopesBySubject } from "./key-scopes.ts";
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
const fields = ["name", "scopes", "expiresAt"];

/** Asks for a key's name, access and expiry, and shows it, once. */
export function NewApiKey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [access, setAccess] = useState("all");
  const [chosen, setChosen] = useState<readonly Scope[]>(readingScopes);
  const [expiry, setExpiry] = useState("90");
  const make = useChange({
    run: (api) => {
      const given = { all: [...scopes], reading: [...readingScopes] }[access] ?? [...chosen];
      const expiresAt = expiry === "" ? null : new Date(Date.now() + Number(expiry) * 86_400_000).toISOString();
      return api.call("createApiKey", { body: { name, scopes: given, expiresAt } });
    },
    stale: ["api-keys"],
  });
  if (make.data !== undefined) {
    return (
      <SecretOnce
        title={`The key ${make.data.name}`}
        text="Copy it now: it is not shown again. Programs send it as Authorization: Bearer."
        secret={make.data.key}
        copyLabel="Copy key"
        onClose={onClose}
      />
    );
  }
  const problems = fieldProblems(make.error, (field) => fields.includes(field));
  return (
    <FormDialog title="New API key" submit="Create key" change={make} problem={problems.rest} onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description="The program that will use it."
        placeholder="Order import"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name}
        maxLength={255}
      />
      <NativeSelect
        label="Access"
        data={accesses}
        value={access}
        onChange={(event) => setAccess(event.currentTarget.value)}
      />
      {access === "chosen" && <ScopeChoice chosen={chosen} onChange={setChosen} problem={problems.fields.scopes} />}
      <NativeSelect
        label="Expires"
        data={days}
        value={expiry}
        onChange={(event) => setExpiry(event.currentTarget.value)}
        error={problems.fields.expiresAt}
      />
    </FormDialog>
  );
}

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
  readonly problem: string | undefined;
}

/** What a key may do, subject by subject. */
export function ScopeChoice({ chosen, onChange, problem }: ScopeChoiceProps) {
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
      {problem && <p className={styles.problem}>{problem}</p>}
    </fieldset>
  );
}
