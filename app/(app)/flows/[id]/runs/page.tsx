import type { Metadata } from "next";

export const metadata: Metadata = { title: "Flow runs" };

export default function FlowRunsPage() {
  return null;
}
