import type { FlowStatus } from "#lib/engine/flow.ts";
import styles from "./flow-status-badge.module.css";

const labels: Record<FlowStatus, string> = { draft: "Draft", inactive: "Inactive", active: "Active" };

/** Whether a flow is live: a filled mark for active, an open one for draft, a crossed one for inactive. */
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
