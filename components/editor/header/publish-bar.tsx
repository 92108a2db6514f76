import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { FormDialog } from "#components/dialog/form-dialog.tsx";
import { ReviewTests } from "#components/tests/review-tests.tsx";
import { runTests, testRunsOf } from "#components/tests/test-runs.ts";
import { type FlowStatus, flowLimits } from "#lib/engine/flow.ts";
import { VersionDialog } from "../history/version-dialog.tsx";
import { useEditorState, useSession } from "../state/editor-context.ts";
import type { EditorState } from "../state/editor-state.ts";
import { discard, join, publish } from "../state/publishing.ts";
import type { WorkingCopy } from "../state/server-flow.ts";
import { Findings } from "./findings.tsx";
import styles from "./publish-bar.module.css";

/** The unpublished changes of a live flow and what to do with them; nothing if all is published. */
export function PublishBar() {
  const copy = useEditorState((state) => state.copy);
  const isForbidden = useEditorState((state) => state.save.kind === "forbidden");
  const isShown = copy !== null && !isForbidden;
  const wasShown = useRef(isShown);
  useEffect(() => {
    const isGone = wasShown.current && !isShown;
    wasShown.current = isShown;
    // Its button had the focus, or would have got it back from a dialog: now the card does that Tab leads to.
    if (isGone && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.react-flow__node[tabindex="0"]')?.focus({ preventScroll: true });
    }
  }, [isShown]);
  return isShown ? <UnpublishedChanges copy={copy} /> : null;
}

const whatRuns: Record<FlowStatus, (version: number) => string> = {
  draft: (version) => `Calls run version ${version}.`,
  active: (version) => `Callers still get version ${version}.`,
  inactive: (version) => `The flow is off. Version ${version} is published.`,
};

function UnpublishedChanges({ copy }: { readonly copy: WorkingCopy }) {
  const session = useSession();
  const { editor } = session;
  const opened = useEditorState((state) => state.publishing);
  const version = useEditorState((state) => state.version);
  const status = useEditorState((state) => state.status);
  const isAsking = useEditorState((state) => state.save.kind === "conflict");
  const [isJoining, setIsJoining] = useState(false);
  // Kept here to survive a refusal. Follows the changes until it is edited.
  const [typed, setTyped] = useState<string | null>(null);
  const joinThem = async () => {
    setIsJoining(true);
    await join(session).finally(() => setIsJoining(false));
  };
  const show = (publishing: EditorState["publishing"]) => {
    if (publishing !== "discard") editor.showMissing();
    editor.store.setState({ publishing });
  };
  const close = () => show(null);
  const { basedOn, changes } = copy;
  const isBehind = basedOn !== version;
  const words = `${changes.length} unpublished ${changes.length === 1 ? "change" : "changes"}`;
  return (
    <section className={styles.bar} aria-label="Unpublished changes">
      <span className={styles.text}>
        <strong>{words}</strong>
        <span className={styles.note}>
          {whatRuns[status](version)}
          {isBehind && " It is newer than these changes: merge it before you publish."}
        </span>
      </span>
      <Group gap="xs">
        <Button variant="subtle" onClick={() => editor.store.setState({ isBacktesting: true })}>
          What would have changed?
        </Button>
        <Button variant="subtle" onClick={() => show("discard")}>
          Discard
        </Button>
        <Button variant="default" onClick={() => show("review")}>
          Review
        </Button>
        {isBehind ? (
          <Button loading={isJoining} disabled={isAsking} onClick={() => void joinThem()}>
            Merge
          </Button>
        ) : (
          <Button onClick={() => show("publish")}>Publish</Button>
        )}
      </Group>
      {opened === "review" && (
        <VersionDialog
          version={basedOn}
          others={[]}
          title={words}
          besides={copy.besides}
          onClose={close}
          action={!isBehind && <Button onClick={() => show("publish")}>Publish…</Button>}
        >
          <Findings copy={copy} onLeave={close} />
          <ReviewTests onLeave={close} />
        </VersionDialog>
      )}
      {opened === "publish" && <PublishDialog copy={copy} typed={typed} onType={setTyped} onClose={close} />}
      {opened === "discard" && <DiscardDialog version={version} onClose={close} />}
    </section>
  );
}

interface PublishDialogProps {
  readonly copy: WorkingCopy;
  /** The summary; null while it is generated from the changes. */
  readonly typed: string | null;
  readonly onType: (typed: string) => void;
  readonly onClose: () => void;
}

function PublishDialog({ copy, typed, onType, onClose }: PublishDialogProps) {
  const session = useSession();
  const [isPublishing, setIsPublishing] = useState(false);
  const send = async () => {
    setIsPublishing(true);
    try {
      const isPublished = await publish(session, typed);
      // The tests ran on the changes; their results are kept once they have run on the version.
      if (isPublished && testRunsOf(session.editor).getState().results.size > 0) void runTests(session);
    } finally {
      // The reason for a refusal is shown outside the dialog.
      onClose();
    }
  };
  return (
    <FormDialog
      title="Publish the changes"
      submit="Publish"
      size={560}
      change={{ isPending: isPublishing, mutate: () => void send() }}
      problem={null}
      onClose={onClose}
    >
      <TextInput
        label="Summary"
        description="Shown in the list of versions."
        value={typed ?? copy.summary}
        maxLength={flowLimits.summaryCharactersMax}
        onChange={(event) => onType(event.currentTarget.value)}
        data-autofocus
      />
      <Findings copy={copy} onLeave={onClose} />
      <ReviewTests onLeave={onClose} />
    </FormDialog>
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
          Cancel
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
