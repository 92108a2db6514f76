import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import { applyFix } from "#components/editor/commands/apply-fix.ts";
import { nameOf } from "#components/editor/commands/connect.ts";
import { configPathOf } from "#components/editor/draft/read-problems.ts";
import { allPlaced } from "#components/editor/levels/level.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import type { FoundProblem } from "#components/editor/state/editor-state.ts";
import { problemText } from "#components/form/field-spec.ts";
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { PaneHead } from "./pane-head.tsx";
import { goToProblem } from "./problem-actions.ts";
import styles from "./problem-panel.module.css";
import paneStyles from "./side-pane.module.css";

/** Labels of advice, by severity, highest first. */
export const severities = {
  error: { label: "Error", icon: IconCircleX },
  warning: { label: "Warning", icon: IconAlertTriangle },
  info: { label: "Hint", icon: IconInfoCircle },
} as const satisfies Record<FlowAdvice["severity"], unknown>;

const order = Object.keys(severities);

/** The advice among the findings, highest severity first. */
export function adviceIn(problems: readonly FoundProblem[]): FoundProblem[] {
  const rank = ({ severity = "info" }: FoundProblem) => order.indexOf(severity);
  return problems.filter(({ severity }) => severity !== undefined).toSorted((a, b) => rank(a) - rank(b));
}

/** Everything that blocks going live, and advice; a click opens the field. */
export function ProblemPanel() {
  const problems = useEditorState((state) => state.problems);
  const isLive = useEditorState((state) => state.status === "active");
  const blocking = problems.filter(({ severity }) => severity === undefined);
  const advice = adviceIn(problems);
  const title =
    blocking.length > 0
      ? `Fix these before ${isLive ? "publishing" : "going live"}`
      : advice.length > 0
        ? "Advice"
        : "No problems";
  return (
    <>
      <PaneHead title={title} />
      <div className={paneStyles.body}>
        {blocking.length === 0 && (
          <p className={paneStyles.muted}>{isLive ? "No problems found." : "The flow can go live."}</p>
        )}
        {blocking.length > 0 && (
          <ul className={styles.list} aria-label="Problems">
            {blocking.map((problem) => (
              <li key={`${problem.path} ${problem.message}`}>
                <ProblemButton problem={problem} />
              </li>
            ))}
          </ul>
        )}
        {advice.length > 0 && (
          <>
            {blocking.length > 0 && <h3 className={styles.heading}>Advice</h3>}
            <ul className={styles.list} aria-label="Advice">
              {advice.map((problem) => (
                <AdviceItem key={`${problem.code} ${problem.path} ${problem.message}`} problem={problem} />
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}

/** A problem and its location; opens the field. */
function ProblemButton({ problem }: { readonly problem: FoundProblem }) {
  const session = useSession();
  const draft = useEditorState((state) => state.draft);
  const nodes = allPlaced(draft.nodes, session.editor.types).map(({ node }) => node);
  const path = configPathOf(problem);
  return (
    <button type="button" className={paneStyles.jump} onClick={() => goToProblem(session, problem)}>
      <span className={paneStyles.where}>
        <bdi>{problem.nodeId === undefined ? problem.path : nameOf(nodes, problem.nodeId)}</bdi>
        {path && <span className={paneStyles.muted}> · {path}</span>}
      </span>
      <span className={paneStyles.muted}>
        {problem.nodeId === undefined ? problem.message : problemText(problem.message)}
      </span>
    </button>
  );
}

/** Advice with its fix, and a link to its explanation. */
function AdviceItem({ problem }: { readonly problem: FoundProblem }) {
  const { severity = "info", code, fix } = problem;
  const { label, icon: Icon } = severities[severity];
  return (
    <li className={styles.piece} data-severity={severity}>
      <Icon size={16} aria-label={label} className={styles.icon} />
      <div className={styles.words}>
        <ProblemButton problem={problem} />
        <div className={styles.tools}>
          {fix != null && <FixButton fix={fix} />}
          <a className={styles.more} href={`/reference/advice#${code}`} target="_blank" rel="noreferrer">
            About {code}
          </a>
        </div>
      </div>
    </li>
  );
}

/** Applies a fix, as one undo step. If the flow has changed since the last check, waits for the next one. */
export function FixButton({ fix }: { readonly fix: NonNullable<FlowAdvice["fix"]> }) {
  const { editor } = useSession();
  const isCurrent = useEditorState(
    ({ draft, checked }) =>
      draft.nodes === checked?.nodes && draft.edges === checked.edges && draft.trigger === checked.trigger,
  );
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={!isCurrent}
      onClick={() => editor.changeFlow(fix.title, applyFix(fix, editor.types))}
    >
      {fix.title}
    </Button>
  );
}
