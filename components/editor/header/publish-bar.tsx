import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { useReturnedFocus } from "#components/dialog/use-returned-focus.ts";
import { nameOf } from "#components/editor/commands/connect.ts";
import { flowLimits } from "#lib/engine/flow.ts";
import { VersionDialog } from "../history/version-dialog.tsx";
import { goToProblem } from "../panel/go-to-problem.ts";
import { sayProblem } from "../panel/say-problem.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import type { EditorState, FoundProblem } from "../state/editor-state.ts";
import { discard, publish } from "../state/publishing.ts";
import styles from "./publish-bar.module.css";

/** What of a live flow is not published yet, and what can be done with it; nothing where all is published. */
export function PublishBar() {
  const { editor } = useSession();
  const copy = useEditorState((state) => state.copy);
  const opened = useEditorState((state) => state.publishing);
  const version = useEditorState((state) => state.version);
  const isLive = useEditorState((state) => state.status === "active");
  const isForbidden = useEditorState((state) => state.save.kind === "forbidden");
  if (copy === null || isForbidden) return null;
  const show = (publishing: EditorState["publishing"]) => editor.store.setState({ publishing });
  const close = () => show(null);
  const { basedOn, changes } = copy;
  const words = `${changes.length} unpublished ${changes.length === 1 ? "change" : "changes"}`;
  return (
    <section className={styles.bar} aria-label="Unpublished changes">
      <span className={styles.text}>
        <strong>{words}</strong>
        <span className={styles.note}>
          {isLive ? `Callers still get version ${version}.` : `The flow is off. Version ${version} is published.`}
          {basedOn !== version && " It is newer than these changes: publishing joins both."}
        </span>
      </span>
      <Group gap="xs">
        <Button variant="subtle" onClick={() => show("discard")}>
          Discard
        </Button>
        <Button variant="default" onClick={() => show("review")}>
          Review
        </Button>
        <Button onClick={() => show("publish")}>Publish</Button>
      </Group>
      {opened === "review" && (
        <VersionDialog
          version={basedOn}
          others={[]}
          title={words}
          besides={copy.besides}
          onClose={close}
          action={<Button onClick={() => show("publish")}>Publish…</Button>}
        >
          <Findings onLeave={close} />
        </VersionDialog>
      )}
      {opened === "publish" && <PublishDialog summary={copy.summary} onClose={close} />}
      {opened === "discard" && <DiscardDialog version={version} onClose={close} />}
    </section>
  );
}

interface PublishDialogProps {
  /** Made from what changed. */
  readonly summary: string;
  readonly onClose: () => void;
}

function PublishDialog({ summary, onClose }: PublishDialogProps) {
  useReturnedFocus();
  const session = useSession();
  // Until somebody writes one, it follows what changes.
  const [typed, setTyped] = useState<string | null>(null);
  const [isPublishing, setIsPublishing] = useState(false);
  const send = async () => {
    setIsPublishing(true);
    await publish(session, typed);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title="Publish the changes" size={560}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <TextInput
          label="Summary"
          description="Shown in the list of versions"
          value={typed ?? summary}
          maxLength={flowLimits.summaryCharactersMax}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
        <Findings onLeave={onClose} />
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPublishing}>
            Publish
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface DiscardDialogProps {
  readonly version: number;
  readonly onClose: () => void;
}

function DiscardDialog({ version, onClose }: DiscardDialogProps) {
  useReturnedFocus();
  const session = useSession();
  return (
    <Modal opened onClose={onClose} title="Discard the unpublished changes?">
      <p>The flow goes back to version {version}, for everyone who edits it. Undo brings the changes back.</p>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          Keep editing
        </Button>
        <Button
          color="red"
          onClick={() => {
            onClose();
            void discard(session);
          }}
        >
          Discard
        </Button>
      </Group>
    </Modal>
  );
}

const shownMax = 8;
const isAdvice = ({ severity }: FoundProblem) => severity !== undefined;

/** What keeps the changes from being published, and advice on them; a click leads to the field. */
function Findings({ onLeave }: { readonly onLeave: () => void }) {
  const session = useSession();
  const { types } = session.editor;
  const problems = useEditorState((state) => state.problems);
  const draft = useEditorState((state) => state.draft);
  if (problems.length === 0) return <p className={styles.fine}>No problems found. These changes can be published.</p>;
  const blocking = problems.filter((problem) => !isAdvice(problem));
  const advice = problems.filter(isAdvice);
  const say = (problem: FoundProblem) => {
    if (!isAdvice(problem)) return sayProblem(problem, draft, types);
    return problem.nodeId === undefined
      ? problem.message
      : `${nameOf(draft.nodes, problem.nodeId)}: ${problem.message}`;
  };
  return (
    <div className={styles.findings}>
      <h3>{blocking.length > 0 ? "Fix these before publishing" : "Possible mistakes"}</h3>
      <ul>
        {[...blocking, ...advice].slice(0, shownMax).map((problem) => (
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
