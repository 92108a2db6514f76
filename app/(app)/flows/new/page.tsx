import type { Metadata } from "next";
import { NewFlow } from "#components/editor/gallery/new-flow.tsx";

export const metadata: Metadata = { title: "New flow" };

export default function NewFlowPage() {
  return <NewFlow />;
}
