import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PaneHead } from "#components/editor/panel/pane-head.tsx";
import paneStyles from "#components/editor/panel/side-pane.module.css";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { ApiError } from "#lib/contract/client.ts";
import styles from "./history-panel.module.css";
import { VersionDialog } from "./version-dialog.tsx";

interface VersionNameProps {
  readonly flowId: string;
  readonly version: number;
  readonly name: string | null;
}

const charactersMax = 100;

/** A version's name, edited in place; its number until somebody names it. */
function VersionName({ flowId, version, name }: VersionNameProps) {
  const { api, editor } = useSession();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(name ?? "");
  const rename = useMutation({
    mutationFn: (next: string | null) =>
      api.call("nameFlowVersion", { params: { id: flowId, version: String(version) }, body: { name: next } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["flows", "versions", flowId] }),
    onError: () => editor.say("The version was not renamed.", { tone: "problem" }),
  });
  return (
    <input
      className={styles.name}
      value={typed}
      maxLength={charactersMax}
      placeholder={`Version ${version}`}
      aria-label={`Name of version ${version}`}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        const next = typed.trim() === "" ? null : typed.trim();
        if (next !== name) rename.mutate(next);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

const shown = 50;

/** The flow's versions: who created them and when, how they differ from the current one, and a way to restore each. */
export function HistoryPanel() {
  const session = useSession();
  const { api, editor, autosave } = session;
  const queries = useQueryClient();
  const current = useEditorState((state) => state.version);
  const [opened, setOpened] = useState<number | null>(null);
  const versions = useQuery({
    queryKey: ["flows", "versions", editor.flowId, current],
    queryFn: ({ signal }) =>
      api.callList("listFlowVersions", { params: { id: editor.flowId }, query: { limit: shown }, signal }),
  });
  const restore = async (version: number) => {
    setOpened(null);
    if (!(await autosave.flush())) {
      editor.say("Some changes could not be saved yet.", { tone: "problem" });
      return;
    }
    try {
      await autosave.storing(async (tag) => {
        const params = { id: editor.flowId, version: String(version) };
        await api.call("restoreFlowVersion", { params, headers: { "if-match": tag } });
        return null;
      });
      await autosave.refresh(`Version ${version} was restored as a new version.`);
      await queries.invalidateQueries({ queryKey: ["flows", "versions"] });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error instanceof ApiError && error.status === 409) await autosave.refresh();
      editor.say(`The version was not restored. ${explainFailure(error).why}`, { tone: "problem" });
    }
  };
  return (
    <>
      <PaneHead title="Versions" />
      <div className={paneStyles.body}>
        {versions.isError && (
          <p className={paneStyles.muted}>The versions could not be loaded. {explainFailure(versions.error).why}</p>
        )}
        <ol className={styles.list} reversed>
          {versions.data?.items.map((item) => (
            <li key={item.version} className={styles.item} data-current={item.isCurrent || undefined}>
              <div className={styles.words}>
                <VersionName flowId={editor.flowId} version={item.version} name={item.name ?? null} />
                <span className={paneStyles.muted}>
                  <RelativeTime at={item.createdAt} />
                  {authorOf(item) !== null && ` · ${authorOf(item)}`}
                </span>
              </div>
              {item.isCurrent ? (
                <span className={paneStyles.muted}>Now</span>
              ) : (
                <Button size="compact-sm" variant="default" onClick={() => setOpened(item.version)}>
                  Compare
                </Button>
              )}
            </li>
          ))}
        </ol>
      </div>
      {opened !== null && (
        <VersionDialog
          version={opened}
          others={(versions.data?.items ?? []).map((item) => item.version).filter((one) => one !== opened)}
          onClose={() => setOpened(null)}
          onRestore={() => void restore(opened)}
        />
      )}
    </>
  );
}

interface Authored {
  readonly createdBy: string | null;
  readonly createdByName?: string | null | undefined;
}

/** A version's author for display; names of former members are no longer available. */
export function authorOf({ createdBy, createdByName }: Authored): string | null {
  if (createdByName != null) return createdByName;
  if (createdBy === null) return null;
  return createdBy.startsWith("key_") ? "a deleted API key" : "a former member";
}
