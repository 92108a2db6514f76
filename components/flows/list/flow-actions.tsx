"use client";
import { IconBolt, IconBoltOff, IconCopy, IconDownload, IconFileCode, IconTrash } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type Api, useAccess, useApi, useChange } from "#components/api/use-api.ts";
import { DeleteFlowDialog } from "#components/flows/delete-flow-dialog.tsx";
import RowMenuOpen from "#components/page/row-menu-open.tsx";
import { flowStatusWords } from "#components/status/flow-status.tsx";
import type { FlowListItem } from "./flow-table.tsx";

type Status = FlowListItem["status"];

interface FlowActionsProps {
  readonly flow: FlowListItem;
  /** The menu's. */
  readonly label: string;
}

/** Actions on a listed flow, in a menu that is open at once: it was loaded on demand. */
export function FlowActions({ flow, label }: FlowActionsProps) {
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
    done: (copy) => `${copy.name} was created: a draft with its own trigger URL.`,
    failed: `${name} was not duplicated.`,
    onDone: (copy) => router.push(`/flows/${copy.id}`),
  });
  return (
    <>
      <RowMenuOpen
        label={label}
        note={refusal}
        entries={[
          status === "active"
            ? { label: "Take offline", icon: IconBoltOff, onChoose: () => toggle("inactive"), disabled }
            : { label: "Make live", icon: IconBolt, onChoose: () => toggle("active"), disabled },
          { label: "Duplicate", icon: IconCopy, onChoose: () => duplicate.mutate(undefined), disabled },
          {
            label: "Export",
            icon: IconDownload,
            onChoose: () => window.location.assign(api.url("exportFlow", { params: { id } })),
          },
          {
            label: "Export as YAML",
            icon: IconFileCode,
            onChoose: () =>
              window.location.assign(api.url("exportFlow", { params: { id }, query: { format: "yaml" } })),
          },
          { label: "Delete", icon: IconTrash, onChoose: () => setDeleting(true), danger: true, disabled },
        ]}
      />
      {deleting && <DeleteFlowDialog flow={flow} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Makes the flow live or takes it offline, which can be undone. */
function useStatus({ id, name, status: before }: FlowListItem): (status: Status) => void {
  const run = (api: Api, status: Status) => api.call("updateFlow", { params: { id }, body: { status } });
  const back = useChange({ run, stale: ["flows"], failed: `${name} was not changed back.` });
  const set = useChange({
    run,
    stale: ["flows"],
    done: (_, status) => `${name} is ${flowStatusWords[status]} now.`,
    failed: `${name} was not changed. Open it to see what is missing.`,
    undo: () => back.mutate(before),
  });
  return (status) => set.mutate(status);
}
