import { nameOf } from "../commands/connect.ts";
import { configPathOf } from "../draft/read-problems.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";

/** Everything that keeps the flow from being activated; a click leads to where it is mended. */
export function ProblemPanel() {
  const { editor, view } = useSession();
  const problems = useEditorState((state) => state.problems);
  const nodes = useEditorState((state) => state.draft.nodes);
  const jump = (nodeId: string | undefined, path: string | null) => {
    if (nodeId === undefined) return;
    editor.select([nodeId]);
    requestAnimationFrame(() => {
      view.port?.focus(nodeId);
      const field = path === null ? null : document.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`);
      field?.scrollIntoView({ block: "center" });
      field?.querySelector<HTMLElement>("input, textarea, select, [contenteditable=true]")?.focus();
    });
  };
  return (
    <>
      <PaneHead title={problems.length === 0 ? "No problems" : "What has to be mended first"} />
      <div className={styles.body}>
        {problems.length === 0 && <p className={styles.muted}>The flow can be activated.</p>}
        <ul className={styles.list}>
          {problems.map((problem) => {
            const path = configPathOf(problem);
            return (
              <li key={`${problem.path} ${problem.message}`}>
                <button type="button" className={styles.jump} onClick={() => jump(problem.nodeId, path)}>
                  <span className={styles.where}>
                    {problem.nodeId === undefined ? problem.path : nameOf(nodes, problem.nodeId)}
                    {path && <span className={styles.muted}> · {path}</span>}
                  </span>
                  <span className={styles.muted}>{problem.message}</span>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
