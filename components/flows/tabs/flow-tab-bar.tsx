"use client";

import { useSelectedLayoutSegment } from "next/navigation";
import { Link } from "#components/page/link.tsx";
import styles from "./flow-tab-bar.module.css";

interface FlowTabBarProps {
  readonly flowId: string;
  /** The node that is open in the editor: its tab leads back to it. */
  readonly openNode?: string | null;
  /** The first tab's name for read-only users. */
  readonly editorLabel?: string;
}

/** A flow's tabs, each with its own URL. */
export function FlowTabBar({ flowId, openNode = null, editorLabel = flowTabs.editor.label }: FlowTabBarProps) {
  const current = useFlowTab();
  const addressOf = (tab: FlowTab) => {
    const node = tab === "editor" && openNode !== null ? `?node=${encodeURIComponent(openNode)}` : "";
    return `/flows/${flowId}${flowTabs[tab].path}${node}`;
  };
  return (
    <nav className={styles.bar} aria-label="Flow">
      {(Object.keys(flowTabs) as FlowTab[]).map((tab) => (
        <Link
          key={tab}
          href={addressOf(tab)}
          className={styles.tab}
          aria-current={tab === current ? "page" : undefined}
          scroll={false}
        >
          {tab === "editor" ? editorLabel : flowTabs[tab].label}
        </Link>
      ))}
    </nav>
  );
}

/** A flow's tabs, by URL suffix; the editor has none. */
const flowTabs = {
  editor: { label: "Editor", path: "" },
  runs: { label: "Runs", path: "/runs" },
  versions: { label: "Versions", path: "/versions" },
  tests: { label: "Tests", path: "/tests" },
} as const;

export type FlowTab = keyof typeof flowTabs;

/** The tab that the URL names. */
export function useFlowTab(): FlowTab {
  const segment = useSelectedLayoutSegment() ?? "editor";
  return Object.hasOwn(flowTabs, segment) ? (segment as FlowTab) : "editor";
}
