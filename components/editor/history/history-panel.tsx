import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import { placeDraft } from "#components/editor/draft/place-draft.ts";
import { PaneHead } from "#components/editor/panel/pane-head.tsx";
import paneStyles from "#components/editor/panel/side-pane.module.css";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { restoreVersion } from "#components/editor/state/publishing.ts";
import { readFlowVersion } from "#components/flows/read-flow.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { flowVersionItem } from "#lib/contract/flows/flow-versions.ts";
import styles from "./history-panel.module.css";
import { diffedFlow, VersionDialog } from "./version-dialog.tsx";

interface VersionNameProps {
  readonly flowId: string;
  readonly version: number;
  readonly name: string | null;
}

const charactersMax = 100;

/** A version's name, edited in place; its number while it has none. */
function VersionName({ flowId, version, name }: VersionNameProps) {
  const { api, editor } = useSession();
  const queries = useQueryClient();
  /** Null until it is edited: leaving the field must not undo a name that somebody else gives meanwhile. */
  const [typed, setTyped] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (next: string | null) =>
      api.call("nameFlowVersion", { params: { id: flowId, version: String(version) }, body: { name: next } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["flows", "versions", flowId] });
      setTyped(null);
    },
    onError: () => editor.say("The version was not renamed.", { tone: "problem" }),
  });
  return (
    <input
      className={styles.name}
      dir="auto"
      value={typed ?? name ?? ""}
      maxLength={charactersMax}
      placeholder={`Version ${version}`}
      aria-label={`Name of version ${version}`}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        const next = typed?.trim() || null;
        if (typed !== null && next !== name) rename.mutate(next);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
      }}
    />
  );
}

const versionsOnPage = 50;

/** The flow's versions: who created them and when, their differences from the current one, and a button to restore each. */
export function HistoryPanel() {
  const session = useSession();
  const { api, editor, autosave } = session;
  const queries = useQueryClient();
  const current = useEditorState((state) => state.version);
  const isLive = useEditorState((state) => state.status === "active");
  const copy = useEditorState((state) => state.copy);
  const [opened, setOpened] = useState<number | null>(null);
  const versions = useInfiniteQuery({
    queryKey: ["flows", "versions", editor.flowId, current],
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) => {
      const query = { page, limit: versionsOnPage };
      return api.callList("listFlowVersions", { params: { id: editor.flowId }, query, signal });
    },
    getNextPageParam: ({ pagination: { page, hasNext } }) => (hasNext ? page + 1 : undefined),
  });
  const items = versions.data?.pages.flatMap((page) => page.items) ?? [];
  // In a live flow, runs are affected only once the restored version is published.
  const restoreToCopy = async (version: number) => {
    const found = await queries.fetchQuery(readFlowVersion(api, editor.flowId, version));
    const { trigger, nodes, edges, variables } = diffedFlow(found, editor.types);
    editor.changeFlow(`Restore version ${version}`, (draft) =>
      placeDraft({ ...draft, trigger, nodes, edges, variables }, editor.types),
    );
    editor.say(`Version ${version} is on the canvas. Publish it so that callers get it.`);
  };
  const restore = async (version: number) => {
    setOpened(null);
    if (!(await autosave.flush())) {
      editor.say("Some changes could not be saved yet.", { tone: "problem" });
      return;
    }
    try {
      const state = editor.store.getState();
      if (state.status === "active" || state.copy !== null) return await restoreToCopy(version);
      await restoreVersion(session, version);
      await queries.invalidateQueries({ queryKey: ["flows", "versions"] });
      // The button that had it is another row's now.
      if (document.activeElement === document.body) document.querySelector<HTMLElement>("[data-side-pane]")?.focus();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error instanceof ApiError && error.status === 409) await autosave.refresh();
      editor.say(`The version was not restored. ${sayFailure(error)}`, { tone: "problem" });
    }
  };
  return (
    <>
      <PaneHead title="Versions" />
      <div className={paneStyles.body}>
        {versions.isError && (
          <p className={paneStyles.muted}>The versions could not be loaded. {sayFailure(versions.error)}</p>
        )}
        <ol className={styles.list}>
          {copy !== null && (
            <li className={styles.item} data-current>
              <div className={styles.words}>
                <strong>Unpublished changes</strong>
                <span className={paneStyles.muted}>{copy.summary}</span>
              </div>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => editor.store.setState({ publishing: "review" })}
              >
                Review
              </Button>
            </li>
          )}
          {groupSaves(items).map(([newest, ...earlier]) => (
            <li key={newest.version}>
              <VersionRow item={newest} isLive={isLive} onCompare={setOpened} />
              {earlier.length > 0 && (
                // A single row is shown without a click.
                <details className={styles.earlier} open={earlier.length === 1}>
                  <summary>{earlier.length === 1 ? "1 earlier save" : `${earlier.length} earlier saves`}</summary>
                  {earlier.map((item) => (
                    <VersionRow key={item.version} item={item} isLive={isLive} onCompare={setOpened} />
                  ))}
                </details>
              )}
            </li>
          ))}
        </ol>
        {versions.hasNextPage && (
          <Button
            variant="default"
            mt="sm"
            loading={versions.isFetchingNextPage}
            onClick={() => void versions.fetchNextPage()}
          >
            Show earlier versions
          </Button>
        )}
      </div>
      {opened !== null && (
        <VersionDialog
          version={opened}
          others={items.map((item) => item.version).filter((version) => version !== opened)}
          onClose={() => setOpened(null)}
          action={<Button onClick={() => void restore(opened)}>Restore version {opened}</Button>}
        />
      )}
    </>
  );
}

interface VersionRowProps {
  readonly item: VersionItem;
  readonly isLive: boolean;
  readonly onCompare: (version: number) => void;
}

function VersionRow({ item, isLive, onCompare }: VersionRowProps) {
  const { editor } = useSession();
  const author = authorOf(item);
  return (
    <div className={styles.item} data-current={item.isCurrent || undefined}>
      <div className={styles.words}>
        <VersionName flowId={editor.flowId} version={item.version} name={item.name ?? null} />
        <span className={paneStyles.muted}>
          <RelativeTime at={item.createdAt} />
          {author !== null && ` · ${author}`}
          {!item.isCurrent && item.liveAt != null && " · Was live"}
        </span>
        {item.summary != null && (
          <span className={styles.summary} dir="auto" title={item.summary}>
            {item.summary}
          </span>
        )}
      </div>
      {item.isCurrent ? (
        <span className={styles.now} data-live={isLive || undefined}>
          {isLive ? "Live" : "Current"}
        </span>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Compare version ${item.version}`}
          onClick={() => onCompare(item.version)}
        >
          Compare
        </Button>
      )}
    </div>
  );
}

type VersionItem = z.output<typeof flowVersionItem>;

const restMs = 15 * 60_000;

/**
 * Versions, newest first, grouped by session: autosave makes many. Named versions, those that were live and the current
 * one are never grouped below another.
 */
export function groupSaves<Item extends Omit<VersionItem, "version">>(items: readonly Item[]): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const next = group?.at(-1);
    const goesOn =
      next !== undefined &&
      next.createdBy === item.createdBy &&
      Date.parse(next.createdAt) - Date.parse(item.createdAt) <= restMs;
    const isKnown = item.name != null || item.liveAt != null || item.isCurrent;
    if (group !== undefined && goesOn && !isKnown) group.push(item);
    else groups.push([item]);
  }
  return groups;
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
