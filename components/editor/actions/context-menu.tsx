import { Menu } from "@mantine/core";
import { Fragment } from "react";
import { useReturnedFocus } from "#components/dialog/dialog.tsx";
import { useSession } from "../state/editor-context.ts";
import { canRun } from "./action.ts";
import { ActionKeys } from "./action-button.tsx";
import { actionIcons } from "./action-icons.ts";
import { actionOf } from "./all-actions.ts";

export interface ContextMenuPlace {
  readonly x: number;
  readonly y: number;
  readonly on: "node" | "pane" | "edge";
}

const offered: Readonly<Record<ContextMenuPlace["on"], readonly (readonly string[])[]>> = {
  node: [
    ["edit", "open-body", "rename", "connect"],
    ["run-to", "run-node"],
    ["toggle-group", "ungroup", "group", "tidy-selection"],
    ["move-into", "move-out"],
    ["cut", "copy", "duplicate", "toggle-disabled"],
    ["delete"],
  ],
  pane: [
    ["add", "add-note", "paste"],
    ["run", "listen"],
    ["select-all", "tidy", "fit"],
    ["close-body", "commands", "shortcuts"],
  ],
  edge: [["delete"]],
};

interface ContextMenuProps {
  readonly place: ContextMenuPlace;
  readonly onClose: () => void;
}

/** The actions for what was clicked. */
export function ContextMenu({ place, onClose }: ContextMenuProps) {
  useReturnedFocus();
  const session = useSession();
  const parts = offered[place.on].map((ids) => ids.map(actionOf).filter((action) => canRun(action, session)));
  return (
    <Menu opened onClose={onClose} position="bottom-start" offset={0} width={250}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label="Actions"
          style={{ position: "fixed", left: place.x, top: place.y, width: 0, height: 0, padding: 0, border: 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {parts
          .filter((part) => part.length > 0)
          .map((part, index) => (
            <Fragment key={part[0]?.id}>
              {index > 0 && <Menu.Divider />}
              {part.map((action) => {
                const Icon = actionIcons[action.id];
                return (
                  <Menu.Item
                    key={action.id}
                    leftSection={Icon ? <Icon size={15} /> : <span style={{ width: 15, display: "block" }} />}
                    rightSection={<ActionKeys action={action} />}
                    onClick={() => void action.run(session)}
                  >
                    {action.label}
                  </Menu.Item>
                );
              })}
            </Fragment>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
