"use client";

import { Button, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import styles from "./column-fields.module.css";
import { ColumnFields, emptyColumn } from "./column-fields.tsx";

/** The API's limit. */
const columnsMax = 100;

/** Creates a table, and opens it. */
export function TableForm({ onClose }: { readonly onClose: () => void }) {
  const router = useRouter();
  const { form, change, problem } = useApiForm({
    initialValues: { name: "", columns: [{ ...emptyColumn, key: 0 }] },
    run: (api, { name, columns }) =>
      api.call("createTable", { body: { name, columns: columns.map(({ key: _, ...column }) => column) } }),
    stale: ["tables"],
    done: ({ name: made }) => `${made} was created.`,
    onDone: ({ id }) => {
      onClose();
      router.push(`/tables/${id}`);
    },
  });
  const { columns } = form.values;
  return (
    <FormDialog title="New table" submit="Create table" change={change} problem={problem} onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description="Flows refer to the table by this name."
        placeholder="customers"
        {...form.getInputProps("name")}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
      />
      <Stack gap="sm">
        <div>
          <h3 className={styles.heading}>Columns</h3>
          <p className={styles.hint}>
            Values of a unique column occur only once. Indexed columns are fast to filter and sort in a large table.
            These settings and the type cannot be changed later.
          </p>
        </div>
        {columns.map(({ key, ...column }, index) => (
          <ColumnFields
            key={key}
            column={column}
            which={`Column ${index + 1}`}
            onChange={(changed) => form.replaceListItem("columns", index, { ...changed, key })}
            problems={{
              name: form.errors[`columns.${index}.name`],
              type: form.errors[`columns.${index}.type`],
              required: form.errors[`columns.${index}.required`],
              unique: form.errors[`columns.${index}.unique`],
              indexed: form.errors[`columns.${index}.indexed`],
            }}
            {...(columns.length > 1 && { onRemove: () => form.removeListItem("columns", index) })}
          />
        ))}
        <Button
          variant="default"
          style={{ justifySelf: "start", alignSelf: "flex-start" }}
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          disabled={columns.length >= columnsMax}
          onClick={() =>
            form.insertListItem("columns", { ...emptyColumn, key: Math.max(...columns.map(({ key }) => key)) + 1 })
          }
        >
          Add column
        </Button>
      </Stack>
    </FormDialog>
  );
}
