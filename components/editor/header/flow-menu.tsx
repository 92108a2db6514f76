import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconSettings } from "@tabler/icons-react";
import { useEditor } from "../state/editor-context.ts";

/** What is done to the flow as a whole. */
export function FlowMenu() {
  const editor = useEditor();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label="More about this flow">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSettings size={16} />} onClick={() => editor.show("flow")}>
          Settings
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
