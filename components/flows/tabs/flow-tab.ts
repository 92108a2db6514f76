"use client";
import { useSelectedLayoutSegment } from "next/navigation";

/** A flow's tabs, by the end of their address; the editor has none. */
export const flowTabs = {
  editor: { label: "Editor", path: "" },
  runs: { label: "Runs", path: "/runs" },
  versions: { label: "Versions", path: "/versions" },
  tests: { label: "Tests", path: "/tests" },
} as const;

export type FlowTab = keyof typeof flowTabs;

/** The tab that the address names. */
export function useFlowTab(): FlowTab {
  const segment = useSelectedLayoutSegment() ?? "editor";
  return Object.hasOwn(flowTabs, segment) ? (segment as FlowTab) : "editor";
}
