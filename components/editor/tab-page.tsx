import { FlowRuns } from "#components/flows/tabs/flow-runs.tsx";
import type { FlowTab } from "#components/flows/tabs/flow-tab-bar.tsx";
import { TestsPanel } from "#components/tests/tests-panel.tsx";
import styles from "./editor-frame.module.css";
import { NoticeList } from "./header/notice-list.tsx";
import { HistoryPanel } from "./history/history-panel.tsx";
import { PageOfTab } from "./panel/pane-head.tsx";
import { useEditor } from "./state/editor-context.ts";

/** Covers the canvas while another tab is open; the editor stays mounted below it. */
export function TabPage({ tab }: { readonly tab: Exclude<FlowTab, "editor"> }) {
  const { flowId } = useEditor();
  return (
    <div className={styles.page}>
      <div className={styles.column} data-wide={tab === "runs" || undefined}>
        <PageOfTab value={true}>
          {tab === "runs" && <FlowRuns flowId={flowId} />}
          {tab === "versions" && <HistoryPanel />}
          {tab === "tests" && <TestsPanel />}
        </PageOfTab>
      </div>
      <NoticeList />
    </div>
  );
}
