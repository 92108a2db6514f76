import type { Metadata } from "next";

export const metadata: Metadata = { title: "Flow" };

export default function FlowPage() {
  return null;
}
