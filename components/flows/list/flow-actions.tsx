"use client";

import { IconBolt, IconBoltOff, IconCopy, IconDownload, IconTrash } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { useAccess } from "#components/api/use-access.ts";
import { type Api, useApi } from "#components/api/use-api.ts";
import { useChange } from "#components/api/use-change.ts";
import { RowMenu } from "#components/page/row-menu.tsx";
import type { FlowListItem } from "./flow-table.tsx";

const DeleteFlowDialog = lazy(async () => ({
  default: (await import("../delete-flow-dialog.tsx")).DeleteFlowDialog,
}));

type Status = FlowListItem["status"];

/** What can be done to a flow of the list without opening it. */
export function FlowActions({ flow }: { readonly flow: FlowListItem }) {
  const { id, name, status } = flow;
  const api = useApi();
  const router = useRouter();
  const refusal = useAccess().refusal("flows:write");
  const disabled = refusal !== null;
  const [deleting, setDeleting] = useState(false);
  const toggle = useStatus(flow);
  const duplicate = useChange({
    run: (given) => given.call("duplicateFlow", { params: { id }, body: {} }),
    stale: ["flows"],
    done: (copy) => `${copy.name} was made: a draft with a trigger URL of its own.`,
    failed: `${name} was not copied.`,
    onDone: (copy) => router.push(`/flows/${copy.id}`),
  });
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        note={refusal}
        entries={[
          status === "active"
            ? { label: "Deactivate", icon: IconBoltOff, onChoose: () => toggle("inactive"), disabled }
            : { label: "Activate", icon: IconBolt, onChoose: () => toggle("active"), disabled },
          { label: "Duplicate", icon: IconCopy, onChoose: () => duplicate.mutate(undefined), disabled },
          {
            label: "Export",
            icon: IconDownload,
            onChoose: () => window.location.assign(api.url("exportFlow", { params: { id } })),
          },
          { label: "Delete", icon: IconTrash, onChoose: () => setDeleting(true), danger: true, disabled },
        ]}
      />
      {deleting && (
        <Suspense>
          <DeleteFlowDialog flow={flow} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Switches the flow on or off, which can be taken back. */
function useStatus({ id, name, status: before }: FlowListItem): (status: Status) => void {
  const run = (api: Api, status: Status) => api.call("updateFlow", { params: { id }, body: { status } });
  const back = useChange({ run, stale: ["flows"], failed: `${name} was not changed back.` });
  const set = useChange({
    run,
    stale: ["flows"],
    done: (_, status) => `${name} is ${status} now.`,
    failed: `${name} was not changed. Open it to see what is missing.`,
    undo: () => back.mutate(before),
  });
  return (status) => set.mutate(status);
}
