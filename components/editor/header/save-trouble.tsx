import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { explainFailure } from "#components/page/explain-failure.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { saveAsNew } from "../state/save-as-new.ts";
import { ConflictBar } from "./conflict-bar.tsx";
import styles from "./save-trouble.module.css";

const noRoom = "This browser has no room to keep them: do not close this page before.";

/** What keeps edits from being saved, why, and what to do; nothing while all is well. */
export function SaveTrouble() {
  const save = useEditorState((state) => state.save);
  const session = useSession();
  const { autosave, editor } = session;
  const moveToNew = async () => {
    try {
      const id = await saveAsNew(session);
      autosave.abandon();
      window.location.assign(`/flows/${id}`);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      editor.say(`It could not be stored as a new flow. ${explainFailure(error).why}`, { tone: "problem" });
    }
  };
  const again = (
    <Button variant="default" onClick={() => void autosave.flush()}>
      Try again
    </Button>
  );
  switch (save.kind) {
    case "offline":
      return (
        <Bar action={again}>
          The server does not answer.{" "}
          {save.kept
            ? "Your changes are kept in this browser and sent when it does."
            : `Your changes are sent when it does. ${noRoom}`}
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
      return <Bar action={again}>The flow cannot be stored like this: {save.reasons.slice(0, 3).join("; ")}.</Bar>;
    case "gone":
      return (
        <Bar
          action={
            <Button variant="default" onClick={() => void moveToNew()}>
              Save as a new flow
            </Button>
          }
        >
          This flow was deleted elsewhere. What you see is still here.
        </Bar>
      );
    case "conflict":
      return <ConflictBar clashes={save.clashes} />;
    default:
      return null;
  }
}

function Bar({ children, action }: { readonly children: ReactNode; readonly action: ReactNode }) {
  return (
    <div className={styles.bar} role="alert">
      <span className={styles.text}>{children}</span>
      {action}
    </div>
  );
}
