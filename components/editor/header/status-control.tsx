import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { FlowStatusBadge } from "#components/status/flow-status-badge.tsx";
import { type FlowStatus, flowStatuses } from "#lib/engine/flow.ts";
import { setStatus } from "../actions/set-status.ts";
import { useEditorState, useSession } from "../state/editor-context.ts";
import styles from "./status-control.module.css";

const meanings: Record<FlowStatus, string> = {
  draft: "Being made. Calls run what is saved.",
  active: "Live. Its trigger starts runs.",
  inactive: "Off. Calls are refused.",
};

/** Whether the flow is live, and the one place to change that. */
export function StatusControl() {
  const session = useSession();
  const status = useEditorState((state) => state.status);
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          aria-label={`Status: ${status}. Change it`}
        >
          <FlowStatusBadge status={status} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {flowStatuses.map((other) => (
          <Menu.Item key={other} disabled={other === status} onClick={() => void setStatus(session, other)}>
            <FlowStatusBadge status={other} />
            <span className={styles.meaning}>{meanings[other]}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
