"use client";

import { Button } from "@mantine/core";
import { type Api, useChange } from "#components/api/use-api.ts";
import styles from "#components/executions/list/bulk-bar.module.css";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { GuardedButton } from "#components/page/link-button.tsx";
import { flowStatusWords } from "#components/status/flow-status.tsx";
import { showToast } from "#components/toast/toast.ts";
import { ApiError } from "#lib/contract/client.ts";
import type { FlowListItem } from "./flow-table.tsx";

interface FlowBulkBarProps {
  /** The selected flows. */
  readonly flows: readonly FlowListItem[];
  readonly onClear: () => void;
}

type Named = Pick<FlowListItem, "id" | "name">;

interface StatusChange {
  readonly flow: Named;
  readonly from: FlowListItem["status"];
  readonly to: FlowListItem["status"];
}

interface Outcome {
  readonly change: StatusChange;
  /** Null for a flow that was changed. */
  readonly failure: unknown;
}

/** Changes all at once; one that fails does not stop the others. */
const changeAll = {
  run: async (api: Api, changes: readonly StatusChange[]): Promise<Outcome[]> => {
    const results = await Promise.allSettled(
      changes.map(({ flow: { id }, to }) => api.call("updateFlow", { params: { id }, body: { status: to } })),
    );
    return results.flatMap((result, index) => {
      const change = changes[index];
      return change ? [{ change, failure: result.status === "rejected" ? result.reason : null }] : [];
    });
  },
  stale: ["flows"],
};

function reportRefusals(outcomes: readonly Outcome[], past: string): void {
  const refused = outcomes.filter(({ failure }) => failure !== null);
  for (const message of refusalsInWords(
    refused.map(({ change: { flow }, failure }) => ({ name: flow.name, failure })),
    past,
  ))
    void showToast({ message, tone: "failed" });
}

/** Makes the selected flows live or takes them offline; says which were not, and why. It can be undone. */
export function FlowBulkBar({ flows, onClear }: FlowBulkBarProps) {
  const back = useChange({ ...changeAll, onDone: (outcomes) => reportRefusals(outcomes, "changed back") });
  const set = useChange({
    ...changeAll,
    onDone: (outcomes, asked) => {
      const to = asked[0]?.to ?? "inactive";
      reportRefusals(outcomes, to === "active" ? "made live" : "taken offline");
      const done = outcomes.flatMap(({ change, failure }) => (failure === null ? [change] : []));
      if (done.length === 0) return;
      void showToast({
        message: `${done.length === 1 ? "1 flow is" : `${done.length} flows are`} ${flowStatusWords[to]} now.`,
        undo: () => back.mutate(done.map(({ flow, from }) => ({ flow, from: to, to: from }))),
      });
    },
  });
  if (flows.length === 0) return null;
  const change = (to: FlowListItem["status"]) => {
    const changes = flows.map(({ id, name, status: from }) => ({ flow: { id, name }, from, to }));
    set.mutate(changes, { onSuccess: onClear });
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

interface Refusal {
  readonly name: string;
  readonly failure: unknown;
}

/** A message for each reason: "A and B could not be made live: open them to see why." */
export function refusalsInWords(refused: readonly Refusal[], past: string): string[] {
  const byReason = new Map<string, string[]>();
  for (const { name, failure } of refused) {
    // A flow has its problems node by node, which its editor shows.
    const isOfFlow = failure instanceof ApiError && failure.code === "VALIDATION_ERROR";
    const reason = isOfFlow ? "" : sayFailure(failure);
    byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  }
  return [...byReason].map(([reason, names]) => {
    const rest = reason === "" ? `: open ${names.length === 1 ? "it" : "them"} to see why.` : `. ${reason}`;
    return `${namesInWords(names)} could not be ${past}${rest}`;
  });
}

const shownNames = 3;
const list = new Intl.ListFormat("en", { type: "conjunction" });

/** "A, B, and C"; of many, the first three and how many more. */
function namesInWords(names: readonly string[]): string {
  const more = names.length - shownNames;
  if (more <= 1) return list.format(names);
  return list.format([...names.slice(0, shownNames), `${more} others`]);
}
