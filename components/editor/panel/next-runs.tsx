import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { asText } from "#components/form/field-spec.ts";
import { formatExact, useExactTime } from "#components/time/relative-time.tsx";
import styles from "./side-pane.module.css";

const pauseMs = 300;

/** The schedule's next runs, by the clock of its own time zone. An invalid schedule shows its error at the field instead. */
export function NextRuns() {
  const { api } = useSession();
  const config = useEditorState((state) => state.draft.trigger.config);
  const [cron] = useDebouncedValue(asText(config.cron), pauseMs);
  const [timezone] = useDebouncedValue(asText(config.timezone), pauseMs);
  const { explain } = useExactTime();
  const { data } = useQuery({
    queryKey: ["schedules", "preview", cron, timezone],
    queryFn: async ({ signal }) => {
      const body = { cron, ...(timezone !== "" && { timezone }) };
      const preview = await api.call("previewSchedule", { body, signal }).catch(() => null);
      return preview && { times: preview.times, zone: timezone || "UTC" };
    },
    enabled: cron !== "",
    placeholderData: keepPreviousData,
  });
  if (cron === "" || data === undefined || data === null) return null;
  return (
    <section aria-label="Next runs">
      <h3 className={styles.where}>Next runs, in {data.zone}</h3>
      {data.times.length === 0 && <p className={styles.muted}>This schedule never runs.</p>}
      <ol className={styles.times}>
        {data.times.map((at) => (
          <li key={at} title={explain(at)}>
            {formatExact(at, data.zone)}
          </li>
        ))}
      </ol>
    </section>
  );
}
