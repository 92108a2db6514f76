import type { ColumnType } from "./table-queries.ts";

interface ExampleTable {
  readonly table: {
    name: string;
    columns: { name: string; type: ColumnType; unique?: boolean; indexed?: boolean; required?: boolean }[];
  };
  readonly rows: Record<string, string | number | boolean>[];
}

/** A table with one column of each kind that people begin with, and rows to sort, filter and edit. */
export const exampleTable: ExampleTable = {
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
