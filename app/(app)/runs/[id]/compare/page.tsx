import type { Metadata } from "next";
import { RunComparison } from "#components/executions/compare/run-comparison.tsx";

export const metadata: Metadata = { title: "Compare runs" };

export default async function ComparePage({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <RunComparison id={id} />;
}
