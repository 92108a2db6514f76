"use client";

import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { LinesField } from "#components/dialog/lines-field.tsx";
import type { CredentialType } from "#lib/contract/credential-types.ts";
import { CredentialFields } from "./credential-fields.tsx";
import {
  type CredentialValues,
  credentialKinds,
  dataOf,
  hasValues,
  hostsOf,
  noValues,
  type ShownCredential,
} from "./credential-kinds.ts";

const types = Object.entries(credentialKinds).map(([value, { label }]) => ({ value, label }));

interface CredentialFormProps {
  /** The one to change; without it, one is made. */
  readonly credential?: ShownCredential;
  readonly onClose: () => void;
  /** Told the name of the one that was made or changed, before the form closes. */
  readonly onSaved?: (name: string) => void;
}

/** Makes or changes a credential. What is stored is never shown: it stays, or is replaced whole. */
export function CredentialForm({ credential, onClose, onSaved }: CredentialFormProps) {
  const [name, setName] = useState(credential?.name ?? "");
  const [type, setType] = useState<CredentialType>(typeOf(credential?.type ?? "bearer"));
  const [values, setValues] = useState<CredentialValues>(noValues);
  const [hosts, setHosts] = useState((credential?.allowedHosts ?? []).join("\n"));
  const save = useChange({
    run: (api) => {
      const allowedHosts = hostsOf(hosts);
      if (credential === undefined) {
        const made = { name, type, data: dataOf(type, values), allowedHosts };
        // Which data a type needs, the API says field by field.
        return api.call("createCredential", { body: made as never });
      }
      const isReplaced = hasValues(values) || type !== credential.type;
      const changes = { name, type, allowedHosts: allowedHosts.length === 0 ? null : allowedHosts };
      const body = isReplaced ? { ...changes, data: dataOf(type, values) } : changes;
      return api.call("updateCredential", { params: { id: credential.id }, body });
    },
    stale: ["credentials"],
    done: ({ name: saved }) => (credential === undefined ? `${saved} was created.` : `${saved} was saved.`),
    onDone: ({ name: saved }) => {
      onSaved?.(saved);
      onClose();
    },
  });
  const problems = fieldProblems(save.error, (field) => /^(name|type|data|allowedHosts)/.test(field));
  return (
    <FormDialog
      title={credential === undefined ? "New credential" : `Edit ${credential.name}`}
      submit={credential === undefined ? "Create credential" : "Save"}
      change={save}
      problem={problems.rest}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        description={`In expressions: $credentials.${name === "" ? "name" : name}`}
        placeholder="stripe"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
      />
      <NativeSelect
        label="Type"
        description={credentialKinds[type].hint}
        data={types}
        value={type}
        onChange={(event) => {
          setType(typeOf(event.currentTarget.value));
          setValues(noValues);
        }}
        error={problems.fields.type}
      />
      <CredentialFields
        type={type}
        values={values}
        onChange={setValues}
        problems={problems.fields}
        isStored={credential !== undefined && type === credential.type}
      />
      <LinesField
        label="Allowed hosts"
        description="One host per line, such as api.example.com or *.example.com. Leave empty to allow any host."
        value={hosts}
        onChange={setHosts}
        problems={problems.fields}
        field="allowedHosts"
      />
    </FormDialog>
  );
}

function typeOf(text: string): CredentialType {
  return types.some(({ value }) => value === text) ? (text as CredentialType) : "secret";
}
