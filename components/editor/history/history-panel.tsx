import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { explainFailure } from "#components/page/explain-failure.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { ApiError } from "#lib/contract/client.ts";
import { PaneHead } from "../panel/pane-head.tsx";
import paneStyles from "../panel/side-pane.module.css";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { authorOf } from "./author-of.ts";
import styles from "./history-panel.module.css";
import { VersionDialog } from "./version-dialog.tsx";
import { VersionName } from "./version-name.tsx";

const shown = 50;

/** The versions of the flow: who made them and when, what differs from now, and a way back to each. */
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
      editor.say("The flow has changes that could not be saved yet.", { tone: "problem" });
      return;
    }
    try {
      await autosave.storing(async (tag) => {
        const params = { id: editor.flowId, version: String(version) };
        await api.call("restoreFlowVersion", { params, headers: { "if-match": tag } });
        return null;
      });
      await autosave.refresh(`Version ${version} is back, as a new version.`);
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
