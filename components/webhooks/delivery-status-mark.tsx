import { IconBellRinging, IconCircleCheck, IconCircleX, IconClock, IconRefreshAlert } from "@tabler/icons-react";
import { ActiveMark } from "#components/status/active-mark.tsx";
import styles from "#components/status/tone-mark.module.css";
import type { DeliveryStatus } from "#lib/contract/webhooks.ts";

const marks = {
  pending: { label: "Pending", icon: IconClock, tone: "waiting" },
  delivered: { label: "Delivered", icon: IconCircleCheck, tone: "good" },
  failed: { label: "Failed", icon: IconCircleX, tone: "bad" },
} as const satisfies Record<DeliveryStatus, unknown>;

/** A failed attempt that will be retried. */
const again = { label: "Retrying", icon: IconRefreshAlert, tone: "trouble" } as const;

/** A delivery's status: labels for the filter, and a mark. */
export const deliveryStatusOptions = Object.entries(marks).map(([value, { label }]) => ({ value, label }));

interface DeliveryStatusMarkProps {
  readonly status: DeliveryStatus;
  readonly statusCode: number | null;
  readonly wasTried: boolean;
}

export function DeliveryStatusMark({ status, statusCode, wasTried }: DeliveryStatusMarkProps) {
  const { label, icon: Icon, tone } = status === "pending" && wasTried ? again : marks[status];
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {label}
      {statusCode !== null && <span className="mono">{statusCode}</span>}
    </span>
  );
}

/** Whether a subscription receives events. */
export function SubscriptionState({ active }: { readonly active: boolean }) {
  return <ActiveMark active={active} words="Active" icon={IconBellRinging} />;
}

/** Shown in place of the run for a delivery without one. */
export function withoutRun(event: string): string {
  return event.startsWith("alert.") ? "an alert" : "a test";
}
