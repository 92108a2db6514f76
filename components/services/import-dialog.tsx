import { TextInput } from "@mantine/core";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { showToast } from "#components/toast/toast.ts";
import { DocumentFields, placeOfDocument, sourceOf } from "./document-fields.tsx";
import { operationsInWords } from "./service-queries.ts";

/** Creates a service from an OpenAPI document: a file or a URL. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { form, change, problem } = useApiForm({
    initialValues: { file: null as File | null, url: "", name: "" },
    placeOf: placeOfDocument,
    run: async (api, { name, ...given }) => {
      const source = await sourceOf(given);
      return await api.call("importService", { body: { ...source, ...(name.trim() === "" ? {} : { name }) } });
    },
    stale: ["services"],
    onDone: (service) => {
      void showToast({ message: `${service.name} has ${operationsInWords(service.operationCount)}.` });
      onClose();
    },
  });
  return (
    <FormDialog title="Import an OpenAPI document" submit="Import" change={change} problem={problem} onClose={onClose}>
      <DocumentFields inputOf={form.getInputProps} hasFile={form.values.file !== null} />
      <TextInput
        label="Name"
        description="The document's title when empty."
        maxLength={100}
        {...form.getInputProps("name")}
        autoComplete="off"
      />
    </FormDialog>
  );
}
