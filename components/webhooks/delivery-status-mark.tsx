import { IconCircleCheck, IconCircleX, IconClock } from "@tabler/icons-react";
import type { DeliveryStatus } from "#lib/contract/webhooks.ts";
import styles from "./webhook-marks.module.css";

const marks = {
  pending: { label: "Waiting", icon: IconClock, tone: "waiting" },
  delivered: { label: "Delivered", icon: IconCircleCheck, tone: "good" },
  failed: { label: "Failed", icon: IconCircleX, tone: "bad" },
} as const satisfies Record<DeliveryStatus, unknown>;

/** How the status of a delivery is said: in words for the filter, and as a mark. */
export const deliveryStatusOptions = Object.entries(marks).map(([value, { label }]) => ({ value, label }));

interface DeliveryStatusMarkProps {
  readonly status: DeliveryStatus;
  readonly statusCode: number | null;
}

export function DeliveryStatusMark({ status, statusCode }: DeliveryStatusMarkProps) {
  const { label, icon: Icon, tone } = marks[status];
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {label}
      {statusCode !== null && <span className="mono">{statusCode}</span>}
    </span>
  );
}
