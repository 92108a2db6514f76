"use client";

import { TextInput } from "@mantine/core";
import type { Api } from "#components/api/use-api.ts";
import { FormDialog } from "./form-dialog.tsx";
import { useApiForm } from "./use-api-form.ts";

interface RenameDialogProps {
  readonly title: string;
  readonly hint: string;
  readonly name: string;
  /** Key prefixes of the queries that show the name. */
  readonly stale: string;
  readonly run: (api: Api, name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Renames something. */
export default function RenameDialog({ title, hint, name: before, stale, run, onClose }: RenameDialogProps) {
  const { form, change, problem } = useApiForm({
    initialValues: { name: before },
    run: (api, { name }) => run(api, name),
    placeOf: (field) => (/(^|\.)name$/.test(field) ? "name" : null),
    stale: [stale],
    onDone: onClose,
  });
  return (
    <FormDialog title={title} submit="Rename" change={change} problem={problem} onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description={hint}
        {...form.getInputProps("name")}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
      />
    </FormDialog>
  );
}
