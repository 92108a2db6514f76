import { nameOf } from "#components/editor/commands/connect.ts";
import { allPlaced } from "../levels/level.ts";
import { goToProblem, sayProblem } from "../panel/problem-actions.ts";
import { adviceIn, severities } from "../panel/problem-panel.tsx";
import { useEditorState, useSession } from "../state/editor-context.ts";
import type { FoundProblem } from "../state/editor-state.ts";
import type { WorkingCopy } from "../state/server-flow.ts";
import styles from "./publish-bar.module.css";

const shownMax = 8;

interface FindingsProps {
  readonly copy: WorkingCopy;
  readonly onLeave: () => void;
}

/** The problems that block publishing, and advice; a click opens the field. */
export function Findings({ copy, onLeave }: FindingsProps) {
  const session = useSession();
  const { types } = session.editor;
  const found = useEditorState((state) => state.problems);
  const isSaved = useEditorState((state) => state.save.kind === "saved");
  const draft = useEditorState((state) => state.draft);
  // The server's answer is about the flow as stored.
  if (!isSaved) return null;
  const blocking: readonly FoundProblem[] = copy.problems;
  const problems = [...blocking, ...adviceIn(found)];
  if (problems.length === 0) return <p className={styles.fine}>No problems found.</p>;
  const nodes = allPlaced(draft.nodes, types).map(({ node }) => node);
  const say = (problem: FoundProblem) => {
    const { severity, nodeId, message } = problem;
    if (severity === undefined) return sayProblem(problem, draft, types);
    const text = nodeId === undefined ? message : `${nameOf(nodes, nodeId)}: ${message}`;
    return `${severities[severity].label} · ${text}`;
  };
  return (
    <div className={styles.findings}>
      <h3>{blocking.length > 0 ? "Fix these before publishing" : "Advice"}</h3>
      <ul>
        {problems.slice(0, shownMax).map((problem) => (
          <li key={`${problem.path} ${problem.message}`}>
            <button
              type="button"
              className={styles.jump}
              onClick={() => {
                onLeave();
                goToProblem(session, problem);
              }}
            >
              {say(problem)}
            </button>
          </li>
        ))}
      </ul>
      {problems.length > shownMax && <p>and {problems.length - shownMax} more</p>}
    </div>
  );
}
