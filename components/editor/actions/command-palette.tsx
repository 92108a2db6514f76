import "@mantine/spotlight/styles.layer.css";
import { Kbd } from "@mantine/core";
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { actionGroups, canRun, shortcutText } from "./action.ts";
import { addNodeAt } from "./add-node-at.ts";
import { allActions } from "./all-actions.ts";
import styles from "./command-palette.module.css";
import { isMac } from "./is-mac.ts";

/** Every action, every node type and every node of the flow, by typing a part of its name. */
export default function CommandPalette() {
  const session = useSession();
  const { editor, view } = session;
  const [[store, spotlight]] = useState(createSpotlight);
  const isOpen = useEditorState((state) => state.isPaletteOpen);
  const nodes = useEditorState((state) => state.draft.nodes);
  useEffect(() => {
    if (isOpen) spotlight.open();
    else spotlight.close();
  }, [isOpen, spotlight]);
  const mac = isMac();
  const groups: SpotlightActionGroupData[] = [
    ...actionGroups.map((group) => ({
      group,
      actions: allActions
        .filter((action) => action.group === group && action.id !== "commands" && canRun(action, session))
        .map((action) => ({
          id: action.id,
          label: action.label,
          onClick: () => void action.run(session),
          rightSection: action.shortcuts?.[0] && <Kbd size="xs">{shortcutText(action.shortcuts[0], mac)}</Kbd>,
        })),
    })),
    {
      group: "Add a node",
      actions: editor.types.map((type) => ({
        id: `type ${type.type}`,
        label: `Add ${type.name}`,
        leftSection: <NodeTile icon={type.icon} family={type.family} small />,
        onClick: () => addNodeAt(session, type),
      })),
    },
    {
      group: "Go to a node",
      actions: nodes.map((node) => ({
        id: `node ${node.id}`,
        label: node.name,
        description: node.id,
        onClick: () => {
          editor.select([node.id]);
          requestAnimationFrame(() => view.port?.focus(node.id));
        },
      })),
    },
  ];
  return (
    <Spotlight
      store={store}
      actions={groups.filter((group) => group.actions.length > 0)}
      onSpotlightClose={() => editor.store.setState({ isPaletteOpen: false })}
      shortcut={null}
      highlightQuery
      classNames={{ actionsGroup: styles.group ?? "" }}
      scrollable
      maxHeight={420}
      limit={60}
      nothingFound="Nothing is called that"
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden="true" />,
        placeholder: "What do you want to do?",
        "aria-label": "Search commands",
      }}
    />
  );
}
