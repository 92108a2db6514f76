import type { Metadata } from "next";

export const metadata: Metadata = { title: "Flow tests" };

export default function FlowTestsPage() {
  return null;
}
