"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useApi, useChange } from "#components/api/use-api.ts";
import listStyles from "#components/list/data-table.module.css";
import type { Column } from "#components/list/data-table.tsx";
import { ListPage } from "#components/list/list-page.tsx";
import { lazyPart } from "#components/page/lazy-part.tsx";
import { Link } from "#components/page/link.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { useUrlState } from "#components/page/use-url-state.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { TableActions } from "./table-actions.tsx";
import { type ColumnType, rowsInWords, type ShownTable, tableQueries } from "./table-queries.ts";

const TableForm = lazyPart(async () => ({ default: (await import("./table-form.tsx")).TableForm }));

const columns: readonly Column<ShownTable>[] = [
  {
    head: "Name",
    kind: "lead",
    width: 160,
    cell: ({ id, name }) => (
      <Link href={`/tables/${id}`} className={listStyles.rowLink}>
        {name}
      </Link>
    ),
  },
  {
    head: "Columns",
    kind: "muted",
    label: "Columns",
    width: 220,
    cell: (table) => <span className={listStyles.below}>{table.columns.map(({ name }) => name).join(", ")}</span>,
  },
  { head: "Rows", kind: "number", width: 48, cell: ({ rowCount }) => rowsInWords(rowCount) },
  {
    head: "Columns changed",
    kind: "muted",
    label: "Columns changed",
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
  { head: "Actions", kind: "actions", width: 24, cell: (table) => <TableActions table={table} /> },
];

/** The tables page: data shared by flows. */
export function TableList() {
  const { read } = useUrlState();
  return (
    <ListPage
      title="Tables"
      facts="Small data that the workspace's flows share: customers, orders, items already processed."
      query={useQuery(tableQueries.list(useApi(), read("page"), read("search")))}
      columns={columns}
      search="tables"
      failure="The tables could not be loaded"
      empty={{
        title: "A table keeps what one run learned for all the others.",
        text: "Flows read and write it with the Table node, and changes of its rows can start flows. View and edit it here like a spreadsheet.",
        example: <ExampleButton />,
      }}
      make={{ label: "New table", scope: "tables:write", form: (onClose) => <TableForm onClose={onClose} /> }}
    />
  );
}

/** Creates an example table. */
function ExampleButton() {
  const router = useRouter();
  const make = useChange({
    run: async (api) => {
      const { id } = await api.call("createTable", { body: exampleTable.table });
      await api.call("writeRows", { params: { id }, body: { insert: exampleTable.rows } });
      return id;
    },
    stale: ["tables"],
    failed: "The example was not created.",
    onDone: (id) => router.push(`/tables/${id}`),
  });
  return (
    <GuardedButton
      scope="tables:write"
      variant="default"
      loading={make.isPending}
      onClick={() => make.mutate(undefined)}
    >
      Create an example
    </GuardedButton>
  );
}

interface ExampleTable {
  readonly table: {
    name: string;
    columns: { name: string; type: ColumnType; unique?: boolean; indexed?: boolean; required?: boolean }[];
  };
  readonly rows: Record<string, string | number | boolean>[];
}

/** An example table with a column of each common type and a few rows to sort, filter and edit. */
const exampleTable: ExampleTable = {
  table: {
    name: "customers",
    columns: [
      { name: "email", type: "text", unique: true, required: true },
      { name: "orders", type: "number" },
      { name: "active", type: "boolean" },
      { name: "since", type: "time", indexed: true },
    ],
  },
  rows: [
    { email: "ada@example.com", orders: 12, active: true, since: "2025-03-01T09:30:00.000Z" },
    { email: "grace@example.com", orders: 3, active: true, since: "2025-11-17T14:05:00.000Z" },
    { email: "alan@example.com", orders: 0, active: false, since: "2026-01-08T08:00:00.000Z" },
  ],
};
