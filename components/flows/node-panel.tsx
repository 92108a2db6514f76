import { Button } from "@mantine/core";
import { IconZoomIn } from "@tabler/icons-react";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { bodyGraphOf } from "#components/editor/levels/level.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { ShortId } from "#components/page/copy-button.tsx";
import { SidePanel } from "#components/page/side-panel.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import styles from "./node-panel.module.css";
import type { ReadFlow } from "./read-flow.ts";

interface NodePanelProps {
  readonly flow: Pick<ReadFlow, "trigger">;
  /** The nodes of the shown level. */
  readonly nodes: readonly FlowNode[];
  readonly id: string;
  readonly types: readonly NodeType[];
  readonly onClose: () => void;
  readonly onOpenBody: (loopId: string) => void;
}

/** A node's config, field by field, as written. */
export function NodePanel({ flow, nodes, id, types, onClose, onOpenBody }: NodePanelProps) {
  if (id === triggerSource) {
    return (
      <SidePanel title="Trigger" subtitle={flow.trigger.type} onClose={onClose}>
        <Fields config={flow.trigger.config} schema={null} />
      </SidePanel>
    );
  }
  const node = nodes.find((candidate) => candidate.id === id);
  if (node === undefined) return null;
  const type = types.find((candidate) => candidate.type === node.type);
  const isLoop = (bodyGraphOf(node, types)?.nodes.length ?? 0) > 0;
  return (
    <SidePanel
      title={node.name}
      subtitle={
        <>
          <span>{type?.name ?? node.type}</span>
          <ShortId id={node.id} subject="node" />
        </>
      }
      icon={<NodeTile icon={type?.iconPath ?? ""} family={type?.family ?? "action"} />}
      onClose={onClose}
    >
      {isLoop && (
        <Button
          variant="default"
          leftSection={<IconZoomIn size={15} aria-hidden="true" />}
          onClick={() => onOpenBody(node.id)}
        >
          Open body
        </Button>
      )}
      <Fields config={node.config} schema={type?.configSchema} />
    </SidePanel>
  );
}

function Fields({ config, schema }: { readonly config: unknown; readonly schema: unknown }) {
  const entries = isJsonObject(config) ? Object.entries(config) : [];
  if (entries.length === 0) return <p className={styles.nothing}>Nothing is configured.</p>;
  return (
    <dl className={styles.fields}>
      {entries.map(([name, value]) => (
        <div key={name} className={styles.field}>
          <dt className={styles.name}>{fieldTitle(schema, name)}</dt>
          <dd className={styles.value}>
            {typeof value === "object" && value !== null ? (
              <JsonTree value={value} path={name} label={name} />
            ) : (
              <pre className={styles.text}>{String(value)}</pre>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function fieldTitle(schema: unknown, name: string): string {
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  const field = isJsonObject(properties) ? properties[name] : undefined;
  return isJsonObject(field) && typeof field.title === "string" ? field.title : name;
}
