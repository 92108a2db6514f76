import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  IconClockX,
  IconLoader2,
} from "@tabler/icons-react";
import type { executionStatuses, nodeStatuses } from "#lib/contract/executions.ts";

export type RunStatusName = (typeof executionStatuses)[number] | (typeof nodeStatuses)[number];

/** How each status of a run or of a node is said and drawn; its colours are the tokens `--status-<name>`. */
export const runStatuses = {
  pending: { label: "Pending", icon: IconClock },
  running: { label: "Running", icon: IconLoader2 },
  completed: { label: "Completed", icon: IconCircleCheck },
  failed: { label: "Failed", icon: IconCircleX },
  cancelled: { label: "Cancelled", icon: IconBan },
  timeout: { label: "Timed out", icon: IconClockX },
  skipped: { label: "Skipped", icon: IconCircleDashed },
} as const satisfies Record<RunStatusName, unknown>;

export function isLive(status: RunStatusName): boolean {
  return status === "pending" || status === "running";
}
