import type { FlowStatus } from "#lib/engine/flow.ts";
import styles from "./status-marks.module.css";

const labels: Record<FlowStatus, string> = { draft: "Draft", inactive: "Off", active: "Live" };

/** The same within a sentence: "Order intake is live now". */
export const flowStatusWords: Record<FlowStatus, string> = { draft: "a draft", inactive: "off", active: "live" };

/** Whether a flow is live: a filled mark while it is, an open one for a draft, a crossed one while it is off. */
export function FlowStatusBadge({ status }: { readonly status: FlowStatus }) {
  return (
    <span className={styles.badge} data-status={status}>
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="3" strokeWidth="1.5" stroke="currentColor" className={styles.mark} />
        {status === "inactive" && <path d="M1.5 6.5l5-5" stroke="currentColor" strokeWidth="1.5" />}
      </svg>
      {labels[status]}
    </span>
  );
}
