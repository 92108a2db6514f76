import type { Metadata } from "next";

export const metadata: Metadata = { title: "Tests of a flow" };

export default function FlowTestsPage() {
  return null;
}
