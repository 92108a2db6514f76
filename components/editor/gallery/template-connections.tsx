"use client";
import { Checkbox, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { kindLabel } from "#components/credentials/credential-kinds.ts";
import { credentialNames } from "#components/credentials/credential-names.ts";
import type { WantedCredential, WholeTemplate } from "#lib/contract/templates.ts";
import styles from "./template-page.module.css";

export interface Connections {
  readonly credentials: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string | number>>;
  readonly tablesLeftOut: readonly string[];
}

interface TemplateConnectionsProps {
  readonly template: WholeTemplate;
  readonly chosen: Connections;
  readonly onChange: (chosen: Connections) => void;
  /** Names of the workspace's tables. */
  readonly tablesThere: ReadonlySet<string>;
}

/** What a template needs: credentials, which can also be chosen later, tables to create, and variables. */
export function TemplateConnections({ template, chosen, onChange, tablesThere }: TemplateConnectionsProps) {
  const { credentials, tables, variables } = template;
  if (credentials.length + tables.length + variables.length === 0) {
    return (
      <section className={styles.connections} aria-label="What to connect">
        <h2 className={styles.heading}>Nothing to connect</h2>
        <p className={styles.hint}>It runs as it is, with the included sample.</p>
      </section>
    );
  }
  return (
    <section className={styles.connections} aria-label="What to connect">
      <h2 className={styles.heading}>What to connect</h2>
      <p className={styles.hint}>You can do all of this later: the flow is a draft and shows what is missing.</p>
      {credentials.map((credential) => (
        <CredentialChoice
          key={credential.name}
          wanted={credential}
          value={chosen.credentials[credential.name]}
          onChange={(name) => {
            const { [credential.name]: _, ...others } = chosen.credentials;
            onChange({ ...chosen, credentials: name === "" ? others : { ...others, [credential.name]: name } });
          }}
        />
      ))}
      {tables.map(({ name, columns }) => {
        const left = chosen.tablesLeftOut.filter((other) => other !== name);
        const isThere = tablesThere.has(name);
        return (
          <Checkbox
            key={name}
            label={isThere ? `Use the table ${name}` : `Create the table ${name}`}
            description={`Columns: ${columns.map((column) => column.name).join(", ")}`}
            checked={isThere || !chosen.tablesLeftOut.includes(name)}
            disabled={isThere}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ ...chosen, tablesLeftOut: checked ? left : [...left, name] })
            }
          />
        );
      })}
      {variables.map(({ name, value, help }) => {
        const set = (next: string | number) =>
          onChange({ ...chosen, variables: { ...chosen.variables, [name]: next } });
        const shown = chosen.variables[name] ?? value;
        const words = { label: name, description: help };
        return typeof value === "number" ? (
          <NumberInput key={name} {...words} value={shown} onChange={(next) => set(next === "" ? value : next)} />
        ) : (
          <TextInput key={name} {...words} value={shown} onChange={({ currentTarget }) => set(currentTarget.value)} />
        );
      })}
    </section>
  );
}

interface CredentialChoiceProps {
  readonly wanted: WantedCredential;
  readonly value: string | undefined;
  readonly onChange: (name: string) => void;
}

function CredentialChoice({ wanted: { name, types, help }, value, onChange }: CredentialChoiceProps) {
  const { data } = useQuery(credentialNames(useApi()));
  const fitting = (data ?? []).filter(({ type }) => types.includes(type));
  const isThere = fitting.some((credential) => credential.name === name);
  const options = fitting.map((credential) => ({
    value: credential.name,
    label: `${credential.name} · ${kindLabel(credential.type)}`,
  }));
  return (
    <NativeSelect
      label={`Credential: ${name}`}
      description={`${help} Type: ${types.map(kindLabel).join(" or ")}.`}
      value={value ?? (isThere ? name : "")}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={isThere ? options : [{ value: "", label: "Choose later" }, ...options]}
    />
  );
}
