"use client";

import { TextInput } from "@mantine/core";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import type { RunFilter } from "./run-filter.ts";

interface SaveFilterDialogProps {
  readonly filter: RunFilter;
  readonly onClose: () => void;
}

/** Asks for a filter's name; an existing name is overwritten. */
export function SaveFilterDialog({ filter, onClose }: SaveFilterDialogProps) {
  const { form, change, problem } = useApiForm({
    initialValues: { name: "" },
    run: (api, { name }) => api.call("saveFilter", { body: { name, filter: { ...filter } } }),
    stale: ["saved-filters"],
    done: ({ name: savedName }) => `“${savedName}” is saved.`,
    onDone: onClose,
  });
  return (
    <FormDialog title="Save these filters" submit="Save" size={400} change={change} problem={problem} onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Failed last night"
        {...form.getInputProps("name")}
        maxLength={255}
      />
    </FormDialog>
  );
}
