import { nameOf } from "../commands/connect.ts";
import { configPathOf } from "../draft/read-problems.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { goToProblem } from "./go-to-problem.ts";
import { PaneHead } from "./pane-head.tsx";
import { sayProblem } from "./say-problem.ts";
import styles from "./side-pane.module.css";

/** Everything that keeps the flow from being activated, and what is probably a mistake; a click leads to where it is. */
export function ProblemPanel() {
  const session = useSession();
  const problems = useEditorState((state) => state.problems);
  const draft = useEditorState((state) => state.draft);
  const { types } = session.editor;
  const advice = problems.filter(({ severity }) => severity !== undefined);
  const blocking = problems.filter(({ severity }) => severity === undefined);
  const title =
    blocking.length > 0 ? "Fix before activating" : advice.length > 0 ? "Probably a mistake" : "No problems";
  return (
    <>
      <PaneHead title={title} />
      <div className={styles.body}>
        {problems.length === advice.length && <p className={styles.muted}>The flow can be activated.</p>}
        {[blocking, advice].map((list) => (
          <ul className={styles.list} key={list === advice ? "advice" : "blocking"}>
            {list.map((problem) => {
              const path = configPathOf(problem);
              return (
                <li key={`${problem.path} ${problem.message}`}>
                  <button type="button" className={styles.jump} onClick={() => goToProblem(session, problem)}>
                    <span className={styles.where}>
                      {problem.nodeId === undefined ? problem.path : nameOf(draft.nodes, problem.nodeId)}
                      {path && <span className={styles.muted}> · {path}</span>}
                    </span>
                    <span className={styles.muted}>
                      {list === advice ? problem.message : sayProblem(problem, draft, types)}
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
        ))}
      </div>
    </>
  );
}
