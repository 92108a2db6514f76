import { NodeTile } from "#components/canvas/node-tile.tsx";
import { type CommandGroup, searchedText } from "#components/palette/palette-loader.ts";
import type { JsonObject } from "#lib/engine/json.ts";
import { allPlaced } from "../levels/level.ts";
import { goToNode } from "../levels/level-actions.ts";
import type { EditorSession } from "../state/editor-session.ts";
import { actionGroups, canRun } from "./action.ts";
import { ActionKeys } from "./action-button.tsx";
import { addNodeAt } from "./add-node-at.ts";
import { allActions } from "./all-actions.ts";

/** Of all nodes together: each key that is pressed searches them. */
const charactersMax = 500_000;

/** The texts of a node's settings, without the nodes in its body: those are listed themselves. */
export function settingsText(config: JsonObject, charactersMax: number): string {
  const texts: string[] = [];
  let left = charactersMax;
  const visit = (value: unknown): void => {
    if (left <= 0) return;
    if (typeof value === "string" || typeof value === "number") {
      texts.push(String(value).slice(0, left));
      left -= String(value).length + 1;
    } else if (typeof value === "object" && value !== null && !("nodes" in value && "edges" in value)) {
      for (const part of Object.values(value)) visit(part);
    }
  };
  visit(config);
  return texts.join(" ");
}

/** The palette's commands in the editor: every action, every node type and every node of the flow. */
export function offeredCommands(session: EditorSession): CommandGroup[] {
  const { editor } = session;
  const nodes = allPlaced(editor.draft.nodes, editor.types);
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
      actions: nodes.map(({ node, within }) => {
        const type = editor.typeOf(node.type);
        return {
          id: `node ${node.id}`,
          label: node.name,
          description: [...within.map((loop) => loop.name), node.id].join(" › "),
          keywords: [searchedText(settingsText(node.config, Math.max(1_000, charactersMax / nodes.length)))],
          leftSection: <NodeTile icon={type?.iconPath ?? ""} family={type?.family ?? "action"} small />,
          onClick: () => goToNode(session, node.id),
        };
      }),
    },
  ];
}
