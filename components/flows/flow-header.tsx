"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { ShortId } from "#components/page/short-id.tsx";
import { FlowStatusBadge } from "#components/status/flow-status-badge.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { RelativeTime } from "#components/time/relative-time.tsx";
import { FlowTags } from "./flow-tags.tsx";
import type { ReadFlow } from "./read-flow.ts";
import { RunDialog } from "./run-dialog.tsx";

export function FlowHeader({ flow }: { readonly flow: ReadFlow }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader
        parent={{ label: "Flows", path: "/flows" }}
        title={flow.name}
        mark={<FlowStatusBadge status={flow.status} />}
        facts={
          <>
            <span>Version {flow.version}</span>
            <span>
              Changed <RelativeTime at={flow.updatedAt} />
            </span>
            {flow.averageExecutionTime !== null && <span>Takes {formatDuration(flow.averageExecutionTime)}</span>}
            <ShortId id={flow.id} what="flow" />
            {flow.tags.length > 0 && <FlowTags tags={flow.tags} />}
          </>
        }
        actions={
          <GuardedButton
            scope="flows:execute"
            leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
            onClick={open}
          >
            Run
          </GuardedButton>
        }
      />
      {opened && <RunDialog flowId={flow.id} flowName={flow.name} onClose={close} />}
    </>
  );
}
