import { Button } from "@mantine/core";
import { IconZoomIn } from "@tabler/icons-react";
import { type ClipboardEvent, useMemo, useState } from "react";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { changeConfig, changeNode } from "#components/editor/commands/change.ts";
import { allPlaced, bodyGraphOf, runsFlow } from "#components/editor/levels/level.ts";
import { openBody } from "#components/editor/levels/level-actions.ts";
import { useEditor, useEditorState, useIsNew, useLevel, useSession } from "#components/editor/state/editor-context.ts";
import { ConfigForm } from "#components/form/config-form.tsx";
import { problemText } from "#components/form/field-spec.ts";
import { FormContext } from "#components/form/form-context.ts";
import { JsonPreview } from "#components/form/preview.tsx";
import { JsonText } from "#components/form/widgets/json-widget.tsx";
import { PickPath } from "#components/json/json-rows.ts";
import { CopyButton } from "#components/page/copy-button.tsx";
import type { NodeType } from "#lib/contract/flows/node-types.ts";
import { flowLimits } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import { curlPasted, sayWhatIsLeft } from "../curl/curl.ts";
import { programFields } from "../draft/node-ids.ts";
import { useOperationSchema, withoutOthersFields } from "../services/operation-schema.ts";
import { ReachableData } from "./data/reachable-data.tsx";
import { FormOrJson } from "./form-or-json.tsx";
import { PaneHead } from "./pane-head.tsx";
import { FixButton } from "./problem-panel.tsx";
import styles from "./side-pane.module.css";
import { useNodeForm } from "./use-node-form.ts";

/** A node: its name, its form or JSON, its problems, and the data that it can use. */
export function NodePanel({ id }: { readonly id: string }) {
  const editor = useEditor();
  const node = useLevel((level) => level.nodes.find((candidate) => candidate.id === id));
  const type = node && editor.typeOf(node.type);
  const { form, pick } = useNodeForm(id, type?.configSchema);
  const { view } = useSession();
  const [shown, setShown] = useState("form");
  const configRead = useMemo(() => type && { type: type.type, programs: programFields(type) }, [type]);
  const previewed = useMemo(() => (type?.hasBody ? withoutBodyOf(node?.config) : node?.config), [type, node?.config]);
  const schema = useOperationSchema(type && withoutBody(type), node?.config ?? {});
  if (node === undefined) return null;
  const change = (config: JsonObject, path = "json") => {
    const before = editor.catalogue.handles(node.type, node.config) ?? [];
    const after = editor.catalogue.handles(node.type, config) ?? [];
    const command = changeConfig(id, config, after, renamedHandles(before, after));
    editor.change(`Change ${node.name}`, command, `config ${id} ${path}`);
  };
  const pasteCurl = (event: ClipboardEvent) => {
    const pasted = curlPasted(event, type?.configSchema);
    if (pasted === null) return;
    event.preventDefault();
    event.stopPropagation();
    change({ ...node.config, ...pasted.config });
    sayWhatIsLeft(editor, pasted);
  };
  return (
    <FormContext value={form}>
      <PaneHead
        icon={<NodeTile icon={type?.iconPath ?? ""} family={type?.family ?? "action"} />}
        title={
          <input
            className={styles.name}
            dir="auto"
            value={node.name}
            maxLength={flowLimits.nameCharactersMax}
            aria-label="Node name"
            data-node-name
            onChange={(event) => {
              const { value: name } = event.currentTarget;
              editor.change("Rename", changeNode(id, { name }), `name ${id}`);
            }}
            onBlur={() => {
              if (node.name.trim() === "")
                editor.change("Rename", changeNode(id, { name: type?.name ?? id }), `name ${id}`);
              editor.endGesture();
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.nativeEvent.isComposing) view.port?.focus(id);
            }}
          />
        }
        facts={
          <>
            <span>{type?.name ?? `Unknown type ${node.type}`}</span>
            <code title={id}>{id}</code>
            <CopyButton text={`${nodeReference(id)}.output`} label="Copy an expression for its output" />
          </>
        }
        tools={<FormOrJson view={shown} onChoose={setShown} label="Node view" />}
      />
      <div className={styles.body} onPasteCapture={pasteCurl}>
        <NodeProblems id={id} shown={shown === "form" && type !== undefined ? form.problems : nothing} />
        {shown === "form" && type !== undefined ? (
          <>
            {type.hasBody && <BodyLink id={id} />}
            <ConfigForm
              schema={schema}
              config={node.config}
              onChange={(config, path) => change(withoutOthersFields(type.configSchema, config, path), path)}
            />
          </>
        ) : (
          <div className={styles.stack}>
            {type === undefined && (
              <p className={styles.muted}>
                This server has no node type “{node.type}”. The node is kept as it is, but a run would fail here.
              </p>
            )}
            <JsonText
              label="Config as JSON"
              value={node.config}
              onChange={(value) => {
                if (isJsonObject(value)) change(value);
              }}
              lines={12}
            >
              <JsonPreview value={previewed} config={configRead} />
            </JsonText>
          </div>
        )}
        <NodeHints id={id} />
      </div>
      <PickPath value={pick}>
        <ReachableData id={id} />
      </PickPath>
    </FormContext>
  );
}

const nothing: ReadonlyMap<string, string> = new Map();

/** A body's expressions are those of its nodes, which see other data. */
function withoutBodyOf(config: JsonObject | undefined): JsonObject | undefined {
  if (config === undefined) return undefined;
  const { body: _, ...own } = config;
  return own;
}

/** The form's schema, without a body, which is edited on the canvas. */
function withoutBody({ hasBody, configSchema }: NodeType): unknown {
  if (!hasBody || !isJsonObject(configSchema) || !isJsonObject(configSchema.properties)) return configSchema;
  const { body: _, ...properties } = configSchema.properties;
  return { ...configSchema, properties };
}

/** Opens a loop's body, and says how many nodes it has. */
function BodyLink({ id }: { readonly id: string }) {
  const session = useSession();
  const { types } = session.editor;
  const node = useLevel(({ nodes }) => nodes.find((candidate) => candidate.id === id));
  if (node === undefined || runsFlow(node)) return null;
  const graph = bodyGraphOf(node, types);
  const count = graph === null ? 0 : allPlaced(graph.nodes, types).length;
  return (
    <div className={styles.bodyLink} data-field="body">
      <Button
        variant="light"
        leftSection={<IconZoomIn size={15} aria-hidden="true" />}
        onClick={() => openBody(session, id)}
      >
        Open body
      </Button>
      <span className={styles.muted}>
        {graph === null
          ? "Its JSON is not a graph of nodes."
          : count === 0
            ? "Empty: add what runs for each item."
            : `${count} ${count === 1 ? "node runs" : "nodes run"} for each item.`}
      </span>
    </div>
  );
}

/** Problems that the form does not show; none for a node that was just added. They stand above it. */
function NodeProblems({ id, shown }: { readonly id: string; readonly shown: ReadonlyMap<string, string> }) {
  const problems = useEditorState((state) => state.problems);
  const isNew = useIsNew(id);
  const own = problems.filter(
    (problem) =>
      problem.nodeId === id && problem.severity !== "info" && !isNew && ![...shown.values()].includes(problem.message),
  );
  if (own.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {own.map((problem) => (
        <li key={`${problem.path} ${problem.message}`} data-severity={problem.severity}>
          {problemText(problem.message)}
        </li>
      ))}
    </ul>
  );
}

/** Hints, each with its fix. Below the form: they come and go while people type, and must not move the field. */
function NodeHints({ id }: { readonly id: string }) {
  const problems = useEditorState((state) => state.problems);
  const isNew = useIsNew(id);
  const hints = problems.filter(({ nodeId, severity }) => nodeId === id && severity === "info" && !isNew);
  if (hints.length === 0) return null;
  return (
    <ul className={`${styles.problems} ${styles.hints}`} aria-label="Hints">
      {hints.map(({ path, message, fix }) => (
        <li key={`${path} ${message}`}>
          {problemText(message)}.{fix != null && <FixButton fix={fix} />}
        </li>
      ))}
    </ul>
  );
}

/** Old handle names to new ones: if their number is unchanged, the new one replaced the missing one. */
function renamedHandles(before: readonly string[], after: readonly string[]): ReadonlyMap<string, string> {
  if (before.length !== after.length) return new Map();
  const removed = before.filter((handle) => !after.includes(handle));
  const added = after.filter((handle) => !before.includes(handle));
  const [from] = removed;
  const [to] = added;
  return removed.length === 1 && from !== undefined && to !== undefined ? new Map([[from, to]]) : new Map();
}
