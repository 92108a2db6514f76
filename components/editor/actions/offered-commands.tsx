import { NodeTile } from "#components/canvas/node-tile.tsx";
import type { CommandGroup } from "#components/palette/palette-loader.ts";
import { allPlaced } from "../levels/level.ts";
import { goToNode } from "../levels/level-actions.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { actionGroups, canRun } from "./action.ts";
import { ActionKeys } from "./action-button.tsx";
import { addNodeAt } from "./add-node-at.ts";
import { allActions } from "./all-actions.ts";

/** The palette's commands in the editor: every action, every node type and every node of the flow. */
export function offeredCommands(session: EditorSession): CommandGroup[] {
  const { editor } = session;
  return [
    ...actionGroups.map((group) => ({
      group,
      actions: allActions
        .filter((action) => action.group === group && action.id !== "commands" && canRun(action, session))
        .map((action) => ({
          id: action.id,
          label: action.label,
          onClick: () => void action.run(session),
          rightSection: <ActionKeys action={action} />,
        })),
    })),
    {
      group: "Add a node",
      actions: editor.types.map((type) => ({
        id: `type ${type.type}`,
        label: `Add ${type.name}`,
        leftSection: <NodeTile icon={type.iconPath} family={type.family} small />,
        onClick: () => addNodeAt(session, type),
      })),
    },
    {
      group: "Go to a node",
      actions: allPlaced(editor.draft.nodes, editor.types).map(({ node, within }) => ({
        id: `node ${node.id}`,
        label: node.name,
        description: [...within.map((loop) => loop.name), node.id].join(" › "),
        onClick: () => goToNode(session, node.id),
      })),
    },
  ];
}
