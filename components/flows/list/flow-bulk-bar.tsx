"use client";

import { Button } from "@mantine/core";
import { useApi, useChange } from "#components/api/use-api.ts";
import styles from "#components/executions/list/bulk-bar.module.css";
import { GuardedButton } from "#components/page/link-button.tsx";
import { flowStatusWords } from "#components/status/flow-status.tsx";
import { showToast } from "#components/toast/toast.ts";
import type { FlowListItem } from "./flow-table.tsx";

interface FlowBulkBarProps {
  /** The selected flows. */
  readonly flows: readonly FlowListItem[];
  readonly onClear: () => void;
}

type StatusChange = { readonly id: string; readonly status: FlowListItem["status"] };

/** Makes the selected flows live or takes them offline; names those that fail, and can be undone. */
export function FlowBulkBar({ flows, onClear }: FlowBulkBarProps) {
  const api = useApi();
  const set = useChange({
    run: async (_, changes: readonly StatusChange[]) => {
      const results = await Promise.allSettled(
        changes.map(({ id, status }) => api.call("updateFlow", { params: { id }, body: { status } })),
      );
      return changes.filter((_, index) => results[index]?.status === "rejected").map(({ id }) => id);
    },
    stale: ["flows"],
    failed: "The flows were not changed.",
  });
  if (flows.length === 0) return null;
  const change = (status: FlowListItem["status"]) => {
    const before = flows.map(({ id, status: was }) => ({ id, status: was }));
    set.mutate(
      flows.map(({ id }) => ({ id, status })),
      {
        onSuccess: (refused) => {
          reportOutcome(flows, refused, status, () => set.mutate(before));
          onClear();
        },
      },
    );
  };
  return (
    <section className={styles.bar} aria-label="Selected flows">
      <span className={styles.count}>{flows.length === 1 ? "1 flow" : `${flows.length} flows`}</span>
      <GuardedButton scope="flows:write" variant="default" loading={set.isPending} onClick={() => change("active")}>
        Make live
      </GuardedButton>
      <GuardedButton scope="flows:write" variant="default" loading={set.isPending} onClick={() => change("inactive")}>
        Take offline
      </GuardedButton>
      <Button variant="subtle" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}

function reportOutcome(
  flows: readonly FlowListItem[],
  refused: readonly string[],
  status: StatusChange["status"],
  undo: () => void,
): void {
  const done = flows.length - refused.length;
  const names = flows.filter(({ id }) => refused.includes(id)).map(({ name }) => name);
  if (names.length > 0) {
    const changed = status === "active" ? "made live" : "taken offline";
    const message = `${names.join(", ")} could not be ${changed}: open ${names.length === 1 ? "it" : "them"} to see why.`;
    void showToast({ message, tone: "failed" });
  }
  if (done > 0)
    void showToast({
      message: `${done === 1 ? "1 flow is" : `${done} flows are`} ${flowStatusWords[status]} now.`,
      undo,
    });
}
