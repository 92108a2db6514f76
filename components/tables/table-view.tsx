"use client";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { lazy, Suspense } from "react";
import { useApi } from "#components/api/use-api.ts";
import { DataTableSkeleton } from "#components/list/data-table.tsx";
import { FailureNotice } from "#components/page/failure-notice.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { TableActions } from "./table-actions.tsx";
import { rowsInWords, tableQueries } from "./table-queries.ts";
import styles from "./table-view.module.css";

const TableGrid = lazy(() => import("./grid/table-grid.tsx"));

/** A table's page: its rows as a spreadsheet. */
export function TableView({ id }: { readonly id: string }) {
  const table = useQuery(tableQueries.one(useApi(), id));
  const router = useRouter();
  const parent = { label: "Tables", path: "/tables" };
  const waiting = <DataTableSkeleton columns={bars} rows={10} />;
  if (table.data === undefined) {
    if (!table.isError) {
      return (
        <>
          <PageHeader title={<Skeleton height={20} width={160} />} parent={parent} />
          {waiting}
        </>
      );
    }
    return (
      <FailureNotice
        title="The table could not be loaded"
        error={table.error}
        onRetry={() => void table.refetch()}
        list={{ label: "All tables", path: "/tables" }}
      />
    );
  }
  const { name, rowCount } = table.data;
  return (
    <div className={styles.page}>
      <PageHeader
        title={name}
        parent={parent}
        facts={rowsInWords(rowCount)}
        actions={<TableActions table={table.data} onDeleted={() => router.push("/tables")} />}
      />
      <Suspense fallback={waiting}>
        <TableGrid key={id} table={table.data} />
      </Suspense>
    </div>
  );
}

const bars = ["One", "Two", "Three", "Four"].map((head, index) => ({
  head: "\u00a0".repeat(index + 1),
  width: 120 + head.length * 8,
  cell: () => null,
}));
