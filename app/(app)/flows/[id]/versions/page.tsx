import type { Metadata } from "next";

export const metadata: Metadata = { title: "Versions of a flow" };

export default function FlowVersionsPage() {
  return null;
}
