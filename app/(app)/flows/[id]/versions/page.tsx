import type { Metadata } from "next";

export const metadata: Metadata = { title: "Flow versions" };

export default function FlowVersionsPage() {
  return null;
}
