"use client";

import { type Api, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import RenameDialog from "#components/dialog/rename-dialog.tsx";
import { useApiForm } from "#components/dialog/use-api-form.ts";
import { ColumnFields, emptyColumn } from "#components/tables/column-fields.tsx";
import type { ShownColumn, ShownTable } from "#components/tables/table-queries.ts";
import { CsvImport } from "./csv-import.tsx";
import type { DialogRequest } from "./table-grid.tsx";

interface TableDialogsProps {
  readonly table: ShownTable;
  readonly request: DialogRequest;
  readonly onClose: () => void;
  readonly onImported: () => void;
}

/** The dialogs for a table's columns and its CSV. */
export default function TableDialogs({ table, request, onClose, onImported }: TableDialogsProps) {
  if (request.kind === "import") return <CsvImport table={table} onClose={onClose} onImported={onImported} />;
  if (request.kind === "add") return <AddColumn table={table} onClose={onClose} />;
  const { column } = request;
  if (request.kind === "delete") return <DeleteColumn table={table} column={column} onClose={onClose} />;
  return (
    <RenameDialog
      title={`Rename ${column.name}`}
      hint="Nodes, triggers and filters that name the column need the new name. Earlier edits can no longer be undone."
      name={column.name}
      stale="tables"
      run={(api, name) =>
        changeColumns(api, table.id, (columns) =>
          columns.map((existing) => (existing.id === column.id ? { ...existing, name } : existing)),
        )
      }
      onClose={onClose}
    />
  );
}

type NewColumn = Omit<ShownColumn, "id"> & { id?: string };

/** The API replaces the whole list: reading it first keeps columns that others have added. */
async function changeColumns(
  api: Api,
  id: string,
  change: (columns: readonly ShownColumn[]) => readonly NewColumn[],
): Promise<ShownTable> {
  const { columns } = await api.call("readTable", { params: { id } });
  return await api.call("updateTable", { params: { id }, body: { columns: [...change(columns)] } });
}

function AddColumn({ table, onClose }: { readonly table: ShownTable; readonly onClose: () => void }) {
  const { form, change, problem } = useApiForm({
    initialValues: emptyColumn,
    run: (api, column) => changeColumns(api, table.id, (columns) => [...columns, column]),
    placeOf: (field) => /^columns\[\d+\]\.(\w+)$/.exec(field)?.[1] ?? null,
    stale: ["tables"],
    onDone: onClose,
  });
  return (
    <FormDialog title="Add column" submit="Add column" change={change} problem={problem} onClose={onClose}>
      <ColumnFields
        column={form.values}
        which="Column"
        onChange={(column) => form.setValues(column)}
        problems={form.errors}
        autoFocus
      />
    </FormDialog>
  );
}

interface DeleteColumnProps {
  readonly table: ShownTable;
  readonly column: ShownColumn;
  readonly onClose: () => void;
}

function DeleteColumn({ table, column, onClose }: DeleteColumnProps) {
  const remove = useChange({
    run: (api, id: string) => changeColumns(api, table.id, (columns) => columns.filter((column) => column.id !== id)),
    stale: ["tables"],
    done: `The column ${column.name} was deleted.`,
    failed: "The column was not deleted.",
  });
  return (
    <ConfirmDialog
      title={`Delete ${column.name}`}
      confirm="Delete column"
      opened
      onClose={onClose}
      onConfirm={() => remove.mutate(column.id)}
    >
      The column and its values in every row will be deleted for good. Neither this nor earlier edits can be undone.
      Nodes that use the column will fail.
    </ConfirmDialog>
  );
}
