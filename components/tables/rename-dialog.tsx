"use client";

import { TextInput } from "@mantine/core";
import { useState } from "react";
import { type Api, useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import type { ShownTable } from "./table-queries.ts";

interface RenameDialogProps {
  readonly title: string;
  readonly hint: string;
  readonly name: string;
  readonly run: (api: Api, name: string) => Promise<ShownTable>;
  readonly onClose: () => void;
}

/** Gives a table or a column another name. */
export default function RenameDialog({ title, hint, name: before, run, onClose }: RenameDialogProps) {
  const [name, setName] = useState(before);
  const save = useChange({ run: (api) => run(api, name), stale: ["tables"], onDone: onClose });
  const problems = fieldProblems(save.error, (field) => /(^|\.)name$/.test(field));
  return (
    <FormDialog title={title} submit="Rename" change={save} problem={problems.rest} onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description={hint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={Object.values(problems.fields)[0]}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
      />
    </FormDialog>
  );
}
