"use client";

import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBan, IconChevronDown, IconRefresh, IconTrash } from "@tabler/icons-react";
import { isLive } from "#components/status/run-statuses.ts";
import type { ShownExecution } from "#lib/contract/executions.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import type { useRunChanges } from "./run-changes.ts";

interface RunActionsProps {
  readonly run: ShownExecution;
  readonly changes: ReturnType<typeof useRunChanges>;
}

export function RunActions({ run, changes }: RunActionsProps) {
  const [cancelling, cancelDialog] = useDisclosure(false);
  const [deleting, deleteDialog] = useDisclosure(false);
  return (
    <>
      {isLive(run.status) ? (
        <Button
          variant="default"
          leftSection={<IconBan size={16} aria-hidden="true" />}
          onClick={cancelDialog.open}
          loading={changes.cancel.isPending}
        >
          Cancel
        </Button>
      ) : (
        <RunAgain run={run} changes={changes} />
      )}
      <Tooltip label="Delete the run">
        <ActionIcon
          variant="default"
          size="var(--control-height)"
          onClick={deleteDialog.open}
          aria-label="Delete the run"
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
      <CancelDialog
        opened={cancelling}
        onClose={cancelDialog.close}
        onConfirm={(reason) => changes.cancel.mutate(reason)}
      />
      <DeleteDialog
        run={run}
        opened={deleting}
        onClose={deleteDialog.close}
        onConfirm={() => changes.remove.mutate()}
      />
    </>
  );
}

function RunAgain({ run, changes }: RunActionsProps) {
  const ran = run.nodes.filter((node) => node.status !== "skipped" && node.status !== "pending");
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
          rightSection={<IconChevronDown size={16} aria-hidden="true" />}
          loading={changes.retry.isPending}
        >
          Run again
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
        <Menu.Item onClick={() => changes.retry.mutate(null)}>From the beginning</Menu.Item>
        {ran.length > 0 && <Menu.Label>From a node</Menu.Label>}
        {ran.map((node) => (
          <Menu.Item key={node.nodeId} onClick={() => changes.retry.mutate(node.nodeId)}>
            {node.nodeName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
