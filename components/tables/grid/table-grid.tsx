"use client";

import { ActionIcon, Button } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconColumnInsertRight,
  IconDownload,
  IconFilter,
  IconPlus,
  IconRefresh,
  IconUpload,
} from "@tabler/icons-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { useAccess, useApi } from "#components/api/use-api.ts";
import { EmptyNotice } from "#components/list/empty-notice.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { useLeaveWarning } from "#components/page/use-leave-warning.ts";
import { useUrlState } from "#components/page/use-url-state.ts";
import { isMac, offerCommands } from "#components/palette/palette-loader.ts";
import type { ShownColumn, ShownTable } from "#components/tables/table-queries.ts";
import { showToast } from "#components/toast/toast.ts";
import type { ColumnActions } from "./column-head.tsx";
import { ConflictBar } from "./conflict-bar.tsx";
import { DataGrid } from "./data-grid.tsx";
import { FilterBuilder } from "./filter-builder.tsx";
import { GridFoot } from "./grid-foot.tsx";
import styles from "./toolbar.module.css";
import { useGrid } from "./use-grid.ts";
import { useTableModel } from "./use-table-model.ts";

const TableDialogs = lazy(() => import("./table-dialogs.tsx"));

/** The open dialog. */
export type DialogRequest =
  | { readonly kind: "add" }
  | { readonly kind: "import" }
  | { readonly kind: "rename"; readonly column: ShownColumn }
  | { readonly kind: "delete"; readonly column: ShownColumn };

const usualWidths = { text: 220, number: 128, boolean: 116, time: 196, json: 260 } as const;

/** A table's rows: searched, sorted, and edited in place. */
export default function TableGrid({ table }: { readonly table: ShownTable }) {
  const { columns } = table;
  const api = useApi();
  const { read, change } = useUrlState();
  const [where, sort] = [read("where"), read("sort")];
  const { model, state } = useTableModel(table, { where, sort });
  const refusal = useAccess().refusal("tables:write", "edit tables");
  const showFailure = useCallback((message: string) => void showToast({ message, tone: "failed" }), []);
  const grid = useGrid({ model, state, columns, refusal, onFailure: showFailure });
  const [dialog, openDialog] = useState<DialogRequest | null>(null);
  const [isFiltering, setFiltering] = useState(where !== undefined);
  const [widths, setWidths] = useState<Readonly<Record<string, number>>>({});
  useLeaveWarning(state.writing > 0);
  const [undo, redo] = [() => model.undo(), () => model.redo()];
  useHotkeys([
    ["mod+Z", undo],
    ["mod+shift+Z", redo],
    ["mod+Y", redo],
  ]);
  const addRow = () => {
    const at = model.addRow();
    // The row is rendered in the next frame.
    requestAnimationFrame(() => {
      document.querySelector<HTMLElement>("[role=grid]")?.focus({ preventScroll: true });
      grid.go({ row: at, column: 0 });
    });
  };
  const refresh = () => model.search({ where, sort });
  const commands = useMemo(
    () => () => [
      {
        group: table.name,
        actions: [
          { id: "table filter", label: "Filter rows", onClick: () => setFiltering(true) },
          { id: "table column", label: "Add column", onClick: () => openDialog({ kind: "add" }) },
          { id: "table import", label: "Import CSV", onClick: () => openDialog({ kind: "import" }) },
        ],
      },
    ],
    [table.name],
  );
  useEffect(() => (refusal === null ? offerCommands(commands) : undefined), [commands, refusal]);
  const actions: ColumnActions = {
    sort,
    onSort: (next) => change({ sort: next }),
    onAsk: openDialog,
    onWidth: (id, width) => setWidths((before) => ({ ...before, [id]: width })),
    refusal,
    isOnly: columns.length === 1,
  };
  const key = (mac: string, other: string) => (isMac() ? mac : other);
  const { past, future } = state.history;
  const isFiltered = where !== undefined;
  return (
    <>
      <div className={styles.tools}>
        {grid.ticked.size > 0 ? (
          <>
            <GuardedButton key="delete" scope="tables:write" variant="default" color="red" onClick={grid.deleteTicked}>
              {grid.ticked.size === 1 ? "Delete 1 row" : `Delete ${grid.ticked.size} rows`}
            </GuardedButton>
            <Button variant="subtle" onClick={grid.untick}>
              Clear selection
            </Button>
          </>
        ) : (
          <>
            <GuardedButton
              scope="tables:write"
              leftSection={<IconPlus size={16} aria-hidden="true" />}
              onClick={addRow}
            >
              Add row
            </GuardedButton>
            <Button
              variant="default"
              leftSection={<IconFilter size={16} aria-hidden="true" />}
              aria-expanded={isFiltering}
              onClick={() => setFiltering(!isFiltering)}
            >
              {isFiltered ? "Filtered" : "Filter"}
            </Button>
          </>
        )}
        <ActionIcon.Group>
          <ActionIcon
            variant="default"
            size="var(--control-height)"
            aria-label="Undo"
            title={`Undo (${key("⌘Z", "Ctrl Z")})`}
            disabled={past.length === 0}
            onClick={undo}
          >
            <IconArrowBackUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="var(--control-height)"
            aria-label="Redo"
            title={`Redo (${key("⇧⌘Z", "Ctrl Shift Z")})`}
            disabled={future.length === 0}
            onClick={redo}
          >
            <IconArrowForwardUp size={16} />
          </ActionIcon>
        </ActionIcon.Group>
        <ActionIcon
          variant="default"
          size="var(--control-height)"
          aria-label="Load the rows again"
          title="Load the rows again"
          onClick={refresh}
        >
          <IconRefresh size={16} />
        </ActionIcon>
        <span className={styles.push} />
        <GuardedButton
          scope="tables:write"
          variant="default"
          leftSection={<IconColumnInsertRight size={16} aria-hidden="true" />}
          onClick={() => openDialog({ kind: "add" })}
        >
          Add column
        </GuardedButton>
        <GuardedButton
          scope="tables:write"
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden="true" />}
          onClick={() => openDialog({ kind: "import" })}
        >
          Import CSV
        </GuardedButton>
        <Button
          component="a"
          href={api.url("exportRows", { params: { id: table.id } })}
          download
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden="true" />}
        >
          Export CSV
        </Button>
      </div>
      {isFiltering && (
        <FilterBuilder
          key={where ?? ""}
          columns={columns}
          where={where}
          onChange={(next) => {
            change({ where: next });
            if (next === null) setFiltering(false);
          }}
        />
      )}
      <ConflictBar conflicts={state.conflicts} columns={columns} onSettle={(id, keep) => model.settle(id, keep)} />
      {state.failure !== null && (
        <FailureNotice
          title="The rows could not be loaded"
          error={state.failure}
          onRetry={() => model.loader.retry()}
        />
      )}
      <DataGrid
        label={`Rows of ${table.name}`}
        grid={grid}
        model={model}
        state={state}
        columns={columns}
        widthOf={({ id, type }) => widths[id] ?? usualWidths[type]}
        actions={actions}
        empty={
          state.failure !== null ? null : isFiltered ? (
            <EmptyNotice
              title="No row matches the filter."
              text="Change a condition, or clear the filter to see all rows."
            />
          ) : (
            <EmptyNotice
              title="The table has no rows yet."
              text="Add one, paste cells from a spreadsheet here, import CSV, or let a flow write with the Table node."
            />
          )
        }
      />
      <GridFoot
        table={table}
        state={state}
        where={where}
        grid={grid}
        refusal={refusal}
        onSave={() => model.saveAgain()}
      />
      {dialog !== null && (
        <Suspense>
          <TableDialogs table={table} request={dialog} onClose={() => openDialog(null)} onImported={refresh} />
        </Suspense>
      )}
    </>
  );
}
