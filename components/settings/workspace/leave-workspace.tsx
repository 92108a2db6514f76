"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { useChange } from "#components/api/use-change.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import type { ShownWorkspace } from "#lib/contract/workspaces.ts";

export function LeaveWorkspace({ workspace }: { readonly workspace: ShownWorkspace }) {
  const [asked, setAsked] = useState(false);
  const leave = useChange({
    run: (api, id: string) => api.call("leaveWorkspace", { params: { id } }),
    stale: [],
    failed: "You are still a member.",
    onDone: () => window.location.assign("/flows"),
  });
  return (
    <>
      <Button variant="default" color="red" onClick={() => setAsked(true)}>
        Leave {workspace.name}
      </Button>
      <ConfirmDialog
        title={`Leave ${workspace.name}`}
        confirm="Leave the workspace"
        keep="Stay"
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => leave.mutate(workspace.id)}
      >
        You do not see its flows and runs any more. What you made stays with the others.
      </ConfirmDialog>
    </>
  );
}
