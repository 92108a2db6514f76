import type { Metadata } from "next";
import { FlowView } from "#components/flows/flow-view.tsx";

export const metadata: Metadata = { title: "Flow" };

export default async function FlowPage({ params }: { readonly params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <FlowView id={id} />;
}
