import type { Metadata } from "next";
import { TableList } from "#components/tables/table-list.tsx";

export const metadata: Metadata = { title: "Tables" };

export default function TablesPage() {
  return <TableList />;
}
