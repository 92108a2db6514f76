import type { Metadata } from "next";
import { RunList } from "#components/executions/list/run-list.tsx";

export const metadata: Metadata = { title: "Runs" };

export default function RunsPage() {
  return <RunList />;
}
