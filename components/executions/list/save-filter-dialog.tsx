"use client";

import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import type { RunFilter } from "./run-filter.ts";

interface SaveFilterDialogProps {
  readonly filter: RunFilter;
  readonly onClose: () => void;
}

/** Asks for a filter's name; an existing name is overwritten. */
export function SaveFilterDialog({ filter, onClose }: SaveFilterDialogProps) {
  const [name, setName] = useState("");
  const save = useChange({
    run: (api) => api.call("saveFilter", { body: { name, filter: { ...filter } } }),
    stale: ["saved-filters"],
    done: ({ name: kept }) => `“${kept}” is saved.`,
    onDone: onClose,
  });
  const problems = fieldProblems(save.error, (field) => field === "name");
  return (
    <FormDialog
      title="Save these filters"
      submit="Save"
      size={400}
      change={save}
      problem={problems.rest}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Failed last night"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name}
        maxLength={255}
      />
    </FormDialog>
  );
}
