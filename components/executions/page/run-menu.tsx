"use client";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowsDiff, IconRoute, IconTestPipe, IconTrash } from "@tabler/icons-react";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type Api, useAccess, useApi } from "#components/api/use-api.ts";
import { ConfirmDialog } from "#components/dialog/confirm-dialog.tsx";
import type { useRunChanges } from "#components/executions/run-changes.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import RowMenuOpen from "#components/page/row-menu-open.tsx";
import { isLive } from "#components/status/run-status.tsx";
import { createTestFrom } from "#components/tests/tests-query.ts";
import { showToast } from "#components/toast/toast.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";

interface RunMenuProps {
  readonly label: string;
  readonly run: ShownExecution;
  readonly changes: ReturnType<typeof useRunChanges>;
  /** The flow was deleted; its runs stay. */
  readonly isGone: boolean;
}

/** More actions on a run, in a menu that is open at once: it was loaded on demand. */
export function RunMenu({ label, run, changes, isGone }: RunMenuProps) {
  const [deleting, deleteDialog] = useDisclosure(false);
  const access = useAccess();
  const api = useApi();
  const queries = useQueryClient();
  const refusal = access.refusal("executions:write");
  const canBeTest = !isGone && (run.status === "completed" || run.status === "failed");
  return (
    <>
      <RowMenuOpen
        label={label}
        note={refusal}
        entries={[
          ...(isGone
            ? []
            : [{ label: "Show in the editor", icon: IconRoute, href: `/flows/${run.flowId}?run=${run.id}` }]),
          ...(canBeTest
            ? [
                {
                  label: "Make a test",
                  icon: IconTestPipe,
                  onChoose: () => void makeTest(api, queries, run),
                  disabled: access.refusal("tests:write") !== null,
                },
              ]
            : []),
          { label: "Compare with another", icon: IconArrowsDiff, href: `/runs/${run.id}/compare` },
          {
            label: "Delete the run",
            icon: IconTrash,
            onChoose: isLive(run.status) ? deleteDialog.open : () => changes.remove(run.flowName),
            danger: true,
            disabled: refusal !== null,
          },
        ]}
      />
      {deleting && (
        <DeleteLiveDialog
          flowName={run.flowName}
          opened={deleting}
          onClose={deleteDialog.close}
          onConfirm={() => changes.removeLive.mutate()}
        />
      )}
    </>
  );
}

/** Creates a test from a run, and says where it is, or why there is none. */
async function makeTest(api: Api, queries: QueryClient, run: Pick<ShownExecution, "id" | "flowId">): Promise<void> {
  try {
    const name = await createTestFrom(api, queries, run);
    const link = { label: "Show the tests", href: `/flows/${run.flowId}/tests` };
    void showToast({ message: `Test "${name}" created.`, link });
  } catch (error) {
    void showToast({ message: `No test was created. ${sayFailure(error)}`, tone: "failed" });
  }
}

interface DeleteLiveDialogProps {
  readonly flowName: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before deleting a run in progress, which also cancels it: neither can be undone. */
function DeleteLiveDialog({ flowName, ...dialog }: DeleteLiveDialogProps) {
  return (
    <ConfirmDialog title="Delete this run" confirm="Cancel and delete it" keep="Keep it running" {...dialog}>
      This run of {flowName} is still in progress. Deleting it cancels it and removes its input, output and logs for
      good. This cannot be undone. The flow is kept.
    </ConfirmDialog>
  );
}
