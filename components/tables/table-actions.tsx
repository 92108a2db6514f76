"use client";

import { IconPencil, IconTrash } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { useAccess, useChange } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { RowMenu } from "#components/page/row-menu.tsx";
import { rowsInWords, type ShownTable } from "./table-queries.ts";

const RenameDialog = lazyPart(() => import("#components/dialog/rename-dialog.tsx"));

interface TableActionsProps {
  readonly table: ShownTable;
  /** Called once it is deleted. */
  readonly onDeleted?: () => void;
}

/** The actions on a table as a whole. */
export function TableActions({ table, onDeleted }: TableActionsProps) {
  const [dialog, openDialog] = useState<"rename" | "delete" | null>(null);
  const close = () => openDialog(null);
  const refusal = useAccess().refusal("tables:write");
  const remove = useChange({
    run: (api, id: string) => api.call("deleteTable", { params: { id } }),
    stale: ["tables"],
    done: `${table.name} was deleted.`,
    failed: "The table was not deleted.",
    ...(onDeleted && { onDone: onDeleted }),
  });
  const isOff = refusal !== null;
  return (
    <>
      <RowMenu
        label={`Actions for ${table.name}`}
        note={refusal}
        entries={[
          { label: "Rename", icon: IconPencil, onChoose: () => openDialog("rename"), disabled: isOff },
          { label: "Delete", icon: IconTrash, onChoose: () => openDialog("delete"), danger: true, disabled: isOff },
        ]}
      />
      {dialog === "rename" && (
        <Suspense>
          <RenameDialog
            title={`Rename ${table.name}`}
            hint="Nodes and triggers that refer to the table by its name need the new one."
            name={table.name}
            stale="tables"
            run={(api, name) => api.call("updateTable", { params: { id: table.id }, body: { name } })}
            onClose={close}
          />
        </Suspense>
      )}
      <ConfirmDialog
        title={`Delete ${table.name}`}
        confirm="Delete table"
        opened={dialog === "delete"}
        onClose={close}
        onConfirm={() => remove.mutate(table.id)}
      >
        {table.rowCount === 0 ? "The table is empty. It" : `The table and its ${rowsInWords(table.rowCount)}`} will be
        deleted for good. This cannot be undone, and nodes that use the table will fail. It cannot be deleted while live
        flows listen for its changes.
      </ConfirmDialog>
    </>
  );
}
