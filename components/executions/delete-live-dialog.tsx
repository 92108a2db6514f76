"use client";

import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";

interface DeleteLiveDialogProps {
  readonly flowName: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before a run is deleted that goes on: to delete it is to cancel it, and neither can be taken back. */
export function DeleteLiveDialog({ flowName, ...dialog }: DeleteLiveDialogProps) {
  return (
    <ConfirmDialog title="Delete this run" confirm="Cancel and delete it" keep="Keep it" {...dialog}>
      This run of {flowName} still goes on. It is cancelled at once, and its input, output and logs go for good. This
      cannot be taken back. The flow stays.
    </ConfirmDialog>
  );
}
