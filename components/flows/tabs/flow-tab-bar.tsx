"use client";
import Link from "next/link";
import { type FlowTab, flowTabs, useFlowTab } from "./flow-tab.ts";
import styles from "./flow-tab-bar.module.css";

interface FlowTabBarProps {
  readonly flowId: string;
  /** The node that is open in the editor: its tab leads back to it. */
  readonly openNode?: string | null;
  /** What the first tab is called for those who only read. */
  readonly editorLabel?: string;
}

/** The ways into a flow, each with an address of its own. */
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
          prefetch={false}
          scroll={false}
        >
          {tab === "editor" ? editorLabel : flowTabs[tab].label}
        </Link>
      ))}
    </nav>
  );
}
