"use client";

import { Button, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChange } from "#components/api/use-api.ts";
import { fieldProblems } from "#components/dialog/field-problems.ts";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import styles from "./column-fields.module.css";
import { type ColumnDraft, ColumnFields, emptyColumn } from "./column-fields.tsx";

/** As many as the API takes. */
const columnsMax = 100;

/** Makes a table, and goes to it. */
export function TableForm({ onClose }: { readonly onClose: () => void }) {
  const router = useRouter();
  const [name, setName] = useState("");
  const [columns, setColumns] = useState<readonly (ColumnDraft & { readonly key: number })[]>([
    { ...emptyColumn, key: 0 },
  ]);
  const save = useChange({
    run: (api) => api.call("createTable", { body: { name, columns: columns.map(({ key: _, ...column }) => column) } }),
    stale: ["tables"],
    done: ({ name: made }) => `${made} was created.`,
    onDone: ({ id }) => {
      onClose();
      router.push(`/tables/${id}`);
    },
  });
  const problems = fieldProblems(save.error, (field) => /^(name|columns\[\d+\]\.\w+)$/.test(field));
  return (
    <FormDialog title="New table" submit="Create table" change={save} problem={problems.rest} onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description="Flows refer to the table by it."
        placeholder="customers"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={problems.fields.name}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
      />
      <Stack gap="sm">
        <p className={styles.hint}>
          Values of a unique column occur only once. Indexed columns are fast to filter and sort in a large table. These
          settings and the type cannot be changed later.
        </p>
        {columns.map(({ key, ...column }, at) => (
          <ColumnFields
            key={key}
            column={column}
            which={`Column ${at + 1}`}
            onChange={(changed) => setColumns(columns.map((one) => (one.key === key ? { ...changed, key } : one)))}
            problems={{
              name: problems.fields[`columns[${at}].name`],
              type: problems.fields[`columns[${at}].type`],
              required: problems.fields[`columns[${at}].required`],
            }}
            {...(columns.length > 1 && { onRemove: () => setColumns(columns.filter((one) => one.key !== key)) })}
          />
        ))}
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          disabled={columns.length >= columnsMax}
          onClick={() =>
            setColumns([...columns, { ...emptyColumn, key: Math.max(...columns.map(({ key }) => key)) + 1 }])
          }
        >
          Add column
        </Button>
      </Stack>
    </FormDialog>
  );
}
