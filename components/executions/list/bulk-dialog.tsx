"use client";

import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { Dialog } from "#components/dialog/dialog.tsx";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { useLeaveWarning } from "#components/page/use-leave-warning.ts";
import { showToast } from "#components/toast/toast.ts";
import {
  affectedInWords,
  type BulkAction,
  type BulkSelection,
  bulkBody,
  performBulk,
  runsInWords,
} from "./bulk-actions.ts";

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly selection: BulkSelection;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Counts the runs that a bulk action affects, names the consequences and asks for confirmation. */
export function BulkDialog({ action, selection, onClose, onDone }: BulkDialogProps) {
  const api = useApi();
  const [body] = useState(() => bulkBody(selection, Date.now()));
  const preview = useQuery({
    queryKey: ["bulk-preview", action.name, body],
    queryFn: () => api.call(action.name, { body: { ...body, dryRun: true } }),
    staleTime: 0,
  });
  const perform = useChange({
    run: () => performBulk(api, action, body),
    stale: ["runs"],
    failed: "Some runs were not changed.",
    onDone: (count) => {
      const message = `${runsInWords(count)} ${count === 1 ? "was" : "were"} ${action.past}.`;
      void showToast({ message, ...(action.outcome && { link: { label: "Show retries", href: action.outcome } }) });
      onDone();
      onClose();
    },
  });
  useLeaveWarning(perform.isPending);
  const matched = preview.data?.matched;
  const { runs, left } = matched === undefined ? { runs: "runs", left: "" } : affectedInWords(action, matched);
  const title = action.title(runs);
  return (
    <Dialog opened onClose={onClose} title={title}>
      {preview.isError && (
        <Text size="sm" role="alert" c="var(--status-failed)">
          The runs could not be counted. {sayFailure(preview.error)}
        </Text>
      )}
      {preview.isPending && <Skeleton height={36} />}
      {matched === 0 && <Text size="sm">This does not apply to any of these runs.</Text>}
      {matched !== undefined && matched > 0 && <Text size="sm">{action.consequence + left}</Text>}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {action.name === "bulkCancel" ? "Keep them running" : "Cancel"}
        </Button>
        <Button
          data-autofocus
          {...(action.danger && { color: "red" })}
          disabled={matched === undefined || matched === 0}
          loading={perform.isPending}
          onClick={() => perform.mutate(undefined)}
        >
          {title}
        </Button>
      </Group>
    </Dialog>
  );
}
