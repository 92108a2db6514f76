"use client";

import { ActionIcon, Button, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { LinesField } from "#components/dialog/form-dialog.tsx";
import type { CredentialType } from "#lib/contract/credential-types.ts";
import styles from "./credential-fields.module.css";
import { type CredentialField, type CredentialValues, credentialKinds } from "./credential-kinds.ts";

interface CredentialFieldsProps {
  readonly type: CredentialType;
  readonly values: CredentialValues;
  readonly onChange: (values: CredentialValues) => void;
  readonly problems: Readonly<Record<string, ReactNode>>;
  /** Values are stored already: empty fields keep them. */
  readonly isStored: boolean;
}

export function CredentialFields({ type, values, onChange, problems, isStored }: CredentialFieldsProps) {
  const { fields } = credentialKinds[type];
  return (
    <>
      {isStored && (
        <p className={styles.hint}>Leave empty to keep the stored values. New values replace all of them.</p>
      )}
      {fields === null ? (
        <OwnFields values={values} onChange={onChange} problem={problems.data} />
      ) : (
        fields.map((field) =>
          field.isAsked?.(values.known) === false ? null : (
            <KnownField
              key={field.name}
              field={field}
              value={values.known[field.name] ?? ""}
              onChange={(value) => onChange({ ...values, known: { ...values.known, [field.name]: value } })}
              problem={problems[`data.${field.name}`]}
            />
          ),
        )
      )}
    </>
  );
}

interface KnownFieldProps {
  readonly field: CredentialField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: ReactNode;
}

function KnownField({ field, value, onChange, problem }: KnownFieldProps) {
  const { label, secret = false, optional = false, hasLines = false, placeholder, choices, isAsked } = field;
  const common = {
    label: optional && isAsked === undefined ? `${label} (optional)` : label,
    value,
    error: problem,
    placeholder,
    autoComplete: "off",
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (choices)
    return <NativeSelect {...common} data={[{ value: "", label: field.whenEmpty ?? "Default" }, ...choices]} />;
  if (hasLines) return <LinesField {...common} />;
  return secret ? (
    <PasswordInput {...common} autoComplete="new-password" />
  ) : (
    <TextInput {...common} spellCheck={false} />
  );
}

interface OwnFieldsProps {
  readonly values: CredentialValues;
  readonly onChange: (values: CredentialValues) => void;
  readonly problem: ReactNode;
}

function OwnFields({ values, onChange, problem }: OwnFieldsProps) {
  const { own } = values;
  const change = (at: number, changed: Partial<(typeof own)[number]>) =>
    onChange({ ...values, own: own.map((field, index) => (index === at ? { ...field, ...changed } : field)) });
  return (
    <div className={styles.own}>
      {own.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields are told apart by their place until they have a name
        <div key={at} className={styles.pair}>
          <TextInput
            aria-label="Field name"
            placeholder="Field"
            value={name}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
            spellCheck={false}
          />
          <PasswordInput
            aria-label="Field value"
            placeholder="Value"
            value={value}
            onChange={(event) => change(at, { value: event.currentTarget.value })}
            autoComplete="new-password"
          />
          <ActionIcon
            variant="subtle"
            size="var(--control-height)"
            aria-label="Remove field"
            disabled={own.length === 1}
            onClick={() => onChange({ ...values, own: own.filter((_, index) => index !== at) })}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      {problem && <p className={styles.problem}>{problem}</p>}
      <Button
        variant="subtle"
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={() => onChange({ ...values, own: [...own, { name: "", value: "" }] })}
      >
        Add field
      </Button>
    </div>
  );
}
