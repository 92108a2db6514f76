"use client";

import { TextInput } from "@mantine/core";
import { useState } from "react";
import { type Api, useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "./field-problems.ts";
import { FormDialog } from "./form-dialog.tsx";

interface RenameDialogProps {
  readonly title: string;
  readonly hint: string;
  readonly name: string;
  /** Of the queries that show the name, how their keys begin. */
  readonly stale: string;
  readonly run: (api: Api, name: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Gives something another name. */
export default function RenameDialog({ title, hint, name: before, stale, run, onClose }: RenameDialogProps) {
  const [name, setName] = useState(before);
  const save = useChange({ run: (api) => run(api, name), stale: [stale], onDone: onClose });
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
