import type { Metadata } from "next";
import { TableView } from "#components/tables/table-view.tsx";

export const metadata: Metadata = { title: "Table" };

export default async function TablePage({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <TableView id={id} />;
}
