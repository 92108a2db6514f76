import type { Metadata } from "next";
import { RunView } from "#components/executions/page/run-view.tsx";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <RunView id={id} />;
}
