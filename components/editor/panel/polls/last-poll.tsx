import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useChange } from "#components/api/use-api.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { withFieldTitles } from "#lib/engine/issue-message.ts";
import styles from "../side-pane.module.css";

const refreshMs = 5_000;

/** The last poll's result, and a button to poll now. Nothing for a flow without polling. `schema` has its fields' names. */
export function LastPoll({ schema }: { readonly schema: unknown }) {
  const { api, editor } = useSession();
  const { flowId } = editor;
  const isActive = useEditorState((state) => state.status === "active");
  const { data, refetch } = useQuery({
    queryKey: ["flows", "poll", flowId],
    queryFn: async ({ signal }) => (await api.call("readFlow", { params: { id: flowId }, signal })).poll ?? null,
    enabled: isActive,
    refetchInterval: refreshMs,
  });
  const pollNow = useChange({
    run: (caller) => caller.call("pollNow", { params: { id: flowId } }),
    stale: [],
    failed: "The poll was not started.",
    onDone: () => void refetch(),
  });
  if (!isActive || data === undefined || data === null) return null;
  const { polledAt, nextAt, items, error } = data;
  return (
    <section aria-label="Last poll">
      <h3 className={styles.where}>Last poll</h3>
      <p className={styles.muted}>
        {polledAt === null ? "None yet" : <RelativeTime at={polledAt} />}
        {items !== null && ` · ${items === 1 ? "1 item" : `${items} items`}`} · next <RelativeTime at={nextAt} />
      </p>
      {error !== null && (
        <p role="alert" className={styles.muted}>
          {withFieldTitles(error, schema)}
        </p>
      )}
      <Button variant="default" size="xs" loading={pollNow.isPending} onClick={() => pollNow.mutate(undefined)}>
        Poll now
      </Button>
    </section>
  );
}
