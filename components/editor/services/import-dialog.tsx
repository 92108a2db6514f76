import { FileInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { showToast } from "#components/toast/toast.ts";

/** Makes a service of an OpenAPI document: a file, or one at an address. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const save = useChange({
    run: async (api) => {
      const source = file === null ? { url: url.trim() } : { document: await file.text() };
      return await api.call("importService", { body: { ...source, ...(name.trim() === "" ? {} : { name }) } });
    },
    stale: ["services"],
    onDone: (service) => {
      void showToast({ message: `${service.name} has ${service.operationCount} operations.` });
      onClose();
    },
  });
  const problems = fieldProblems(save.error, (field) => ["name", "url", "document"].includes(field));
  return (
    <FormDialog
      title="Import an OpenAPI document"
      submit="Import"
      change={save}
      problem={problems.rest}
      onClose={onClose}
    >
      <FileInput
        label="File"
        description="OpenAPI 3.0 or 3.1, in JSON or YAML, up to 5 MiB."
        placeholder="Choose a file"
        accept=".json,.yaml,.yml,application/json,application/yaml"
        value={file}
        onChange={setFile}
        error={file === null ? undefined : problems.fields.document}
        clearable
      />
      <TextInput
        label="Or its address"
        placeholder="https://api.example.com/openapi.json"
        value={url}
        disabled={file !== null}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={problems.fields.url ?? (file === null ? problems.fields.document : undefined)}
        spellCheck={false}
        autoComplete="off"
      />
      <TextInput
        label="Name"
        description="The document's title when empty."
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name}
        autoComplete="off"
      />
    </FormDialog>
  );
}
