import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { showToast } from "#components/toast/toast.ts";
import { DocumentFields, type GivenDocument, sourceOf } from "./document-fields.tsx";
import { operationsInWords } from "./operations-in-words.ts";

/** Makes a service of an OpenAPI document: a file, or one at an address. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [given, setGiven] = useState<GivenDocument>({ file: null, url: "" });
  const save = useChange({
    run: async (api) => {
      const source = await sourceOf(given);
      return await api.call("importService", { body: { ...source, ...(name.trim() === "" ? {} : { name }) } });
    },
    stale: ["services"],
    onDone: (service) => {
      void showToast({ message: `${service.name} has ${operationsInWords(service.operationCount)}.` });
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
      <DocumentFields given={given} onChange={setGiven} problems={problems.fields} />
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
