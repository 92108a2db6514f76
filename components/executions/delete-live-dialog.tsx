"use client";

import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";

interface DeleteLiveDialogProps {
  readonly flowName: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before deleting a run in progress, which also cancels it: neither can be undone. */
export function DeleteLiveDialog({ flowName, ...dialog }: DeleteLiveDialogProps) {
  return (
    <ConfirmDialog title="Delete this run" confirm="Cancel and delete it" keep="Keep it running" {...dialog}>
      This run of {flowName} is still in progress. Deleting it cancels it and removes its input, output and logs for
      good. This cannot be undone. The flow is kept.
    </ConfirmDialog>
  );
}
