import { UnstyledButton } from "@mantine/core";
import styles from "#components/page/data-table.module.css";
import type { Column } from "#components/page/data-table.tsx";
import { shortenId } from "#components/page/short-id.tsx";
import { RelativeTime } from "#components/time/relative-time.tsx";
import type { ShownDelivery } from "#lib/contract/webhooks.ts";
import { DeliveryStatusMark } from "./delivery-status-mark.tsx";
import { withoutRun } from "./without-run.ts";

export function deliveryColumns(onOpen: (id: string) => void): readonly Column<ShownDelivery>[] {
  return [
    {
      head: "Event",
      kind: "lead",
      width: 160,
      cell: ({ id, event }) => (
        <UnstyledButton className={styles.rowLink} fz="inherit" onClick={() => onOpen(id)}>
          {event}
        </UnstyledButton>
      ),
    },
    {
      head: "Status",
      width: 110,
      cell: ({ status, statusCode, attempts }) => (
        <DeliveryStatusMark status={status} statusCode={statusCode} wasTried={attempts > 0} />
      ),
    },
    {
      head: "Run",
      kind: "muted",
      width: 120,
      cell: ({ executionId, event }) =>
        executionId === null ? withoutRun(event) : <span className="mono">{shortenId(executionId)}</span>,
    },
    { head: "Attempts", kind: "number", label: "Attempts", width: 24, cell: ({ attempts }) => attempts },
    {
      head: "Next attempt",
      kind: "muted",
      label: "Next attempt",
      cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? "–" : <RelativeTime at={nextAttemptAt} />),
    },
    { head: "Happened", kind: "muted", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
}
