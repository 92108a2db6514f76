import type { ReactNode } from "react";
import { FlowView } from "#components/flows/flow-view.tsx";

interface FlowLayoutProps {
  readonly params: Promise<{ id: string }>;
  readonly children: ReactNode;
}

/** A flow's tabs share one view, which stays as it is while they change: its pages only have addresses and titles. */
export default async function FlowLayout({ params, children }: FlowLayoutProps) {
  const { id } = await params;
  return (
    <>
      <FlowView id={id} />
      {children}
    </>
  );
}
