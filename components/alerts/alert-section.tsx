"use client";

import { type ReactNode, useId } from "react";
import { type Column, DataTable, DataTableSkeleton } from "#components/page/data-table.tsx";
import { type ListQuery, ListStates } from "#components/page/list-states.tsx";
import styles from "./alerts-page.module.css";

interface AlertSectionProps<Row> {
  readonly title: string;
  readonly query: ListQuery<Row>;
  readonly columns: readonly Column<Row>[];
  readonly failure: string;
  readonly empty: ReactNode;
}

/** One of the page's two lists under its heading. */
export function AlertSection<Row extends { readonly id: string }>(section: AlertSectionProps<Row>) {
  const { title, columns, ...states } = section;
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      <ListStates {...states} skeleton={<DataTableSkeleton columns={columns} />}>
        {(items) => <DataTable columns={columns} rows={items} keyOf={(row) => row.id} />}
      </ListStates>
    </section>
  );
}
