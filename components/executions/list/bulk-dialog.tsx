"use client";

import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useApi, useChange } from "#components/api/use-api.ts";
import { Dialog } from "#components/dialog/dialog.tsx";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { useLeaveWarning } from "#components/page/use-leave-warning.ts";
import { showToast } from "#components/toast/toast.ts";
import { affectedInWords, type BulkAction, type BulkSelection, bulkBody } from "./bulk-actions.ts";
import { outcomeInWords, performBulk } from "./perform-bulk.ts";

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
  /** Whether it was closed before the answer: what is selected and open then is something else. */
  const isLeft = useRef(false);
  const perform = useChange({
    run: () => performBulk(api, action, body),
    stale: ["runs", "bulk-preview"],
    onDone: (outcome) => {
      const isWhole = outcome.failure === null;
      if (!isWhole && !isLeft.current) return;
      void showToast({
        message: outcomeInWords(action, outcome),
        tone: isWhole ? "done" : "failed",
        ...(action.outcome && { link: { label: "Show retries", href: action.outcome } }),
      });
      if (isLeft.current) return;
      onDone();
      onClose();
    },
  });
  const stopped = perform.data?.failure ? outcomeInWords(action, perform.data) : null;
  useLeaveWarning(perform.isPending);
  const matched = preview.data?.matched;
  const { runs, left } = matched === undefined ? { runs: "runs", left: "" } : affectedInWords(action, matched);
  const title = action.title(runs);
  const close = () => {
    if (perform.isPending) {
      isLeft.current = true;
      onDone();
    }
    onClose();
  };
  return (
    <Dialog opened onClose={close} title={title}>
      {preview.isError && (
        <Text size="sm" role="alert" c="var(--status-failed)">
          The runs could not be counted. {sayFailure(preview.error)}{" "}
          <Button variant="light" size="compact-sm" onClick={() => void preview.refetch()}>
            Try again
          </Button>
        </Text>
      )}
      {preview.isPending && <Skeleton height={36} />}
      {matched === 0 && <Text size="sm">This does not apply to any of these runs.</Text>}
      {matched !== undefined && matched > 0 && <Text size="sm">{action.consequence + left}</Text>}
      {stopped !== null && !perform.isPending && (
        <Text size="sm" role="alert" c="var(--status-failed)" mt="xs">
          {stopped}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={close}>
          {perform.isPending ? "Close" : action.name === "bulkCancel" ? "Keep them running" : "Cancel"}
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
