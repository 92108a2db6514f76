import type { Metadata } from "next";

export const metadata: Metadata = { title: "Runs of a flow" };

export default function FlowRunsPage() {
  return null;
}
