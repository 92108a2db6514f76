import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { asText } from "#components/form/as-text.ts";
import { useExactTime } from "#components/time/exact-time.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./side-pane.module.css";

const pauseMs = 300;

/** When the schedule comes next, as far as it is one; what is wrong with it is told at its field. */
export function NextRuns() {
  const { api } = useSession();
  const config = useEditorState((state) => state.draft.trigger.config);
  const [cron] = useDebouncedValue(asText(config.cron), pauseMs);
  const [timezone] = useDebouncedValue(asText(config.timezone), pauseMs);
  const { format, explain } = useExactTime();
  const { data } = useQuery({
    queryKey: ["schedules", "preview", cron, timezone],
    queryFn: ({ signal }) =>
      api.call("previewSchedule", { body: { cron, ...(timezone !== "" && { timezone }) }, signal }).catch(() => null),
    enabled: cron !== "",
    placeholderData: keepPreviousData,
  });
  if (cron === "" || data === undefined || data === null) return null;
  return (
    <section aria-label="Next runs">
      <h3 className={styles.where}>Next runs</h3>
      {data.times.length === 0 && <p className={styles.muted}>It never comes.</p>}
      <ol className={styles.times}>
        {data.times.map((at) => (
          <li key={at} title={explain(at)}>
            {format(at)}
          </li>
        ))}
      </ol>
    </section>
  );
}
