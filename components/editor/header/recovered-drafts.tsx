import { Button, Group, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { joinDrafts } from "#components/editor/draft/separate-added.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { diffDrafts } from "#lib/engine/changes/diff-drafts.ts";
import { ChangeList } from "../history/change-list.tsx";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { type FoundDraft, findLeftDrafts, forgetDraft } from "../state/kept-draft.ts";
import styles from "./save-trouble.module.css";

/** Offers unsaved edits that a closed page left in this browser. */
export function RecoveredDrafts() {
  const { editor } = useSession();
  const [found, setFound] = useState<readonly FoundDraft[]>([]);
  useEffect(() => {
    let isGone = false;
    void findLeftDrafts(editor.flowId).then((drafts) => isGone || setFound(drafts));
    return () => {
      isGone = true;
    };
  }, [editor]);
  const [first] = found;
  if (first === undefined) return null;
  const settle = () => {
    forgetDraft(first.key);
    setFound(found.slice(1));
  };
  return <RecoveredDraft key={first.key} found={first} onSettled={settle} />;
}

function RecoveredDraft({
  found: { kept },
  onSettled,
}: {
  readonly found: FoundDraft;
  readonly onSettled: () => void;
}) {
  const { editor } = useSession();
  const draft = useEditorState((state) => state.draft);
  const [opened, { open, close }] = useDisclosure(false);
  const join = () => joinDrafts(kept.base, kept.draft, editor.draft, editor.types).draft;
  const changes = opened ? diffDrafts(draft, join()) : [];
  const apply = () => {
    editor.changeFlow("Changes from an earlier visit", join);
    onSettled();
  };
  return (
    <div className={styles.bar} role="status">
      <span className={styles.text}>
        This browser has unsaved changes from an earlier visit
        {kept.keptAt !== undefined && (
          <>
            {" "}
            (<RelativeTime at={kept.keptAt} />)
          </>
        )}
        .
      </span>
      <Button variant="default" onClick={onSettled}>
        Discard
      </Button>
      <Button onClick={open}>Review</Button>
      <Modal opened={opened} onClose={close} title="Unsaved changes" size={720}>
        {changes.length === 0 && <p>They change nothing that affects a run.</p>}
        <ChangeList changes={changes} nodes={draft.nodes} types={editor.types} />
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={onSettled}>
            Discard
          </Button>
          <Button onClick={apply}>Apply these changes</Button>
        </Group>
      </Modal>
    </div>
  );
}
