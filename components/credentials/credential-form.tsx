"use client";

import { NativeSelect, TextInput } from "@mantine/core";
import { FormDialog, LinesField } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import type { CredentialType } from "#lib/contract/credential-types.ts";
import { CredentialFields } from "./credential-fields.tsx";
import { credentialKinds, dataOf, hasValues, hostsOf, noValues, type ShownCredential } from "./credential-kinds.ts";

const types = Object.entries(credentialKinds).map(([value, { label }]) => ({ value, label }));

interface CredentialFormProps {
  /** Edits this one; creates one if missing. */
  readonly credential?: ShownCredential;
  readonly onClose: () => void;
  /** Initial values of a new one. */
  readonly preset?: { readonly name: string; readonly type: string };
  /** Called with the saved credential's name before the form closes. */
  readonly onSaved?: (name: string) => void;
}

/** Creates or edits a credential. Stored values are never shown: they are kept or replaced as a whole. */
export function CredentialForm({ credential, preset, onClose, onSaved }: CredentialFormProps) {
  const { form, change, problem } = useApiForm({
    initialValues: {
      name: credential?.name ?? preset?.name ?? "",
      type: typeOf(credential?.type ?? preset?.type ?? "bearer"),
      data: noValues,
      allowedHosts: (credential?.allowedHosts ?? []).join("\n"),
    },
    placeOf: (field) => (field.startsWith("data.") ? field : null),
    run: (api, { name, type, data, ...given }) => {
      const allowedHosts = hostsOf(given.allowedHosts);
      if (credential === undefined) {
        const made = { name, type, data: dataOf(type, data), allowedHosts };
        // The API reports missing data field by field.
        return api.call("createCredential", { body: made as never });
      }
      const isReplaced = hasValues(data) || type !== credential.type;
      const changes = { name, type, allowedHosts: allowedHosts.length === 0 ? null : allowedHosts };
      const body = isReplaced ? { ...changes, data: dataOf(type, data) } : changes;
      return api.call("updateCredential", { params: { id: credential.id }, body });
    },
    stale: ["credentials"],
    done: ({ name: saved }) => (credential === undefined ? `${saved} was created.` : `${saved} was saved.`),
    onDone: ({ name: saved }) => {
      onSaved?.(saved);
      onClose();
    },
  });
  const { name, type, data } = form.values;
  return (
    <FormDialog
      title={credential === undefined ? "New credential" : `Edit ${credential.name}`}
      submit={credential === undefined ? "Create credential" : "Save"}
      change={change}
      problem={problem}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        description={`In expressions: $credentials.${name === "" ? "name" : name}`}
        placeholder="stripe"
        {...form.getInputProps("name")}
        // Expressions write the name as an identifier.
        onChange={(event) => form.setFieldValue("name", event.currentTarget.value.replaceAll(/[\s-]+/g, "_"))}
        maxLength={255}
        spellCheck={false}
        autoComplete="off"
      />
      <NativeSelect
        label="Type"
        description={credentialKinds[type].hint}
        data={types}
        {...form.getInputProps("type")}
        onChange={(event) => form.setValues({ type: typeOf(event.currentTarget.value), data: noValues })}
      />
      <CredentialFields
        type={type}
        values={data}
        onChange={(changed) => form.setFieldValue("data", changed)}
        problems={form.errors}
        isStored={credential !== undefined && type === credential.type}
      />
      <LinesField
        label="Allowed hosts"
        description="One host per line, such as api.example.com or *.example.com. Leave empty to allow any host."
        {...form.getInputProps("allowedHosts")}
      />
    </FormDialog>
  );
}

function typeOf(text: string): CredentialType {
  return types.some(({ value }) => value === text) ? (text as CredentialType) : "secret";
}
