import { Button } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { Fragment, type ReactNode, useState } from "react";
import { saveAsNew } from "#components/editor/state/save-state.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import type { PlacedProblem } from "../draft/read-problems.ts";
import { goToProblem, sayProblem } from "../panel/problem-actions.ts";
import { useSession } from "../state/editor-context.ts";
import { answered } from "../state/server-flow.ts";
import { ConflictBar } from "./conflict-bar.tsx";
import styles from "./save-trouble.module.css";
import { useShownSave } from "./use-shown-save.ts";

const problemsShown = 3;
const noRoom = "This browser has no space to keep them: do not close this page.";

/** Why edits cannot be saved and what to do; nothing while saving works. */
export function SaveTrouble() {
  const save = useShownSave();
  const session = useSession();
  const { autosave, editor } = session;
  const [isTrying, setIsTrying] = useState(false);
  const moveToNew = async () => {
    if (isTrying) return;
    setIsTrying(true);
    try {
      const id = await answered((signal) => saveAsNew(session, signal));
      autosave.abandon();
      window.location.assign(`/flows/${id}`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      editor.say(`It could not be saved as a new flow. ${sayFailure(error)}`, { tone: "problem" });
      setIsTrying(false);
    }
  };
  const tryAgain = async () => {
    setIsTrying(true);
    await autosave.flush().finally(() => setIsTrying(false));
  };
  const again = (
    <Button variant="default" loading={isTrying} onClick={() => void tryAgain()}>
      Try again
    </Button>
  );
  switch (save.kind) {
    case "offline":
      return (
        <Bar action={again}>
          <Offline isKept={save.kept} />
        </Bar>
      );
    case "signed-out":
      return (
        <Bar
          action={
            <>
              <Button variant="default" component="a" href="/sign-in" target="_blank" rel="noreferrer">
                Sign in
              </Button>
              {again}
            </>
          }
        >
          Your session has ended.{" "}
          {save.kept
            ? "Your changes are kept in this browser: sign in, then come back here."
            : `Sign in, then come back here. ${noRoom}`}
        </Bar>
      );
    case "refused":
      return (
        <Bar action={again}>
          <Refusal reason={save.reason} problems={save.problems} />
        </Bar>
      );
    case "forbidden":
      return (
        <Bar
          action={
            <Button
              variant="default"
              onClick={() => {
                autosave.abandon();
                window.location.reload();
              }}
            >
              Show the saved flow
            </Button>
          }
        >
          You can’t edit this flow: only an editor or an owner of the workspace can. Your changes are not saved.
        </Bar>
      );
    case "gone":
      return (
        <Bar
          action={
            <Button variant="default" loading={isTrying} onClick={() => void moveToNew()}>
              Save as a new flow
            </Button>
          }
        >
          This flow was deleted elsewhere. You can save what you see as a new flow.
        </Bar>
      );
    case "conflict":
      return <ConflictBar clashes={save.clashes} />;
    default:
      return null;
  }
}

/** What happens to the changes while nothing can be sent. */
function Offline({ isKept }: { readonly isKept: boolean }) {
  const { online } = useNetwork();
  const when = online ? "when it responds" : "once you are online again";
  return (
    <>
      {online ? "The server is not responding." : "You are offline."}{" "}
      {isKept ? `Your changes are kept in this browser and sent ${when}.` : `Your changes are sent ${when}. ${noRoom}`}
    </>
  );
}

/** What blocks saving; a click opens the field. */
function Refusal({ reason, problems }: { readonly reason: string; readonly problems: readonly PlacedProblem[] }) {
  const session = useSession();
  const { draft, types } = session.editor;
  if (problems.length === 0) return <>Can’t save: {reason}.</>;
  return (
    <>
      Can’t save:{" "}
      {problems.slice(0, problemsShown).map((problem, index) => (
        <Fragment key={`${problem.path} ${problem.message}`}>
          {index > 0 && "; "}
          <button type="button" className={styles.jump} onClick={() => goToProblem(session, problem)}>
            {sayProblem(problem, draft, types)}
          </button>
        </Fragment>
      ))}
      {problems.length > problemsShown && `; and ${problems.length - problemsShown} more`}.
    </>
  );
}

function Bar({ children, action }: { readonly children: ReactNode; readonly action: ReactNode }) {
  return (
    <div className={styles.bar} role="alert">
      <span className={styles.text}>{children}</span>
      {action}
    </div>
  );
}
