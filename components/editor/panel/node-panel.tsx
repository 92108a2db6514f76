import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { changeConfig, changeNode } from "#components/editor/commands/change.ts";
import { nodesBefore } from "#components/editor/draft/nodes-before.ts";
import { useEditor, useEditorState } from "#components/editor/state/editor-context.ts";
import { ConfigForm } from "#components/form/config-form.tsx";
import { valueAt } from "#components/form/expression-scope.ts";
import { FormContext, useForm } from "#components/form/form-context.ts";
import { JsonText } from "#components/form/widgets/json-text.tsx";
import { JsonTree } from "#components/json/json-tree.tsx";
import { CopyButton } from "#components/page/copy-button.tsx";
import { flowLimits } from "#lib/engine/flow.ts";
import { isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { nodeReference } from "#lib/engine/node-reference.ts";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";
import { useNodeForm } from "./use-node-form.ts";

/** One node: its name, its form or its raw JSON, its problems, and the data that it can use. */
export function NodePanel({ id }: { readonly id: string }) {
  const editor = useEditor();
  const node = useEditorState((state) => state.draft.nodes.find((candidate) => candidate.id === id));
  const form = useNodeForm(id);
  const [view, setView] = useState("form");
  if (node === undefined) return null;
  const type = editor.typeOf(node.type);
  const change = (config: JsonObject, path = "json") => {
    const before = editor.catalogue.handles(node.type, node.config) ?? [];
    const after = editor.catalogue.handles(node.type, config) ?? [];
    const command = changeConfig(id, config, after, renamedHandles(before, after));
    editor.change(`Change ${node.name}`, command, `config ${id} ${path}`);
  };
  return (
    <FormContext value={form}>
      <PaneHead
        icon={<NodeTile icon={type?.iconPath ?? ""} family={type?.family ?? "action"} />}
        title={
          <input
            className={styles.name}
            value={node.name}
            maxLength={flowLimits.nameCharactersMax}
            aria-label="Node name"
            data-node-name
            onChange={(event) => {
              const { value: name } = event.currentTarget;
              editor.change("Rename", changeNode(id, { name }), `name ${id}`);
            }}
            onBlur={() => editor.endGesture()}
          />
        }
        facts={
          <>
            <span>{type?.name ?? `Unknown type ${node.type}`}</span>
            <code title={id}>{id}</code>
            <CopyButton text={`${nodeReference(id)}.output`} label="Copy an expression for its output" />
          </>
        }
        tools={
          <SegmentedControl
            size="xs"
            value={view}
            onChange={setView}
            data={[
              { value: "form", label: "Form" },
              { value: "json", label: "JSON" },
            ]}
            aria-label="Node view"
          />
        }
      />
      <div className={styles.body}>
        <NodeProblems id={id} shown={view === "form" && type !== undefined ? form.problems : nothing} />
        {view === "form" && type !== undefined ? (
          <ConfigForm schema={type.configSchema} config={node.config} onChange={change} />
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
            />
          </div>
        )}
      </div>
      <ReachableData id={id} />
    </FormContext>
  );
}

const nothing: ReadonlyMap<string, string> = new Map();

/** Problems that no field of the form shows. */
function NodeProblems({ id, shown }: { readonly id: string; readonly shown: ReadonlyMap<string, string> }) {
  const problems = useEditorState((state) => state.problems);
  const own = problems.filter((problem) => problem.nodeId === id && ![...shown.values()].includes(problem.message));
  if (own.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {own.map((problem) => (
        <li key={problem.path}>{problem.message}</li>
      ))}
    </ul>
  );
}

/** Old handle names to new ones: if their number is unchanged, the new one replaced the missing one. */
function renamedHandles(before: readonly string[], after: readonly string[]): ReadonlyMap<string, string> {
  if (before.length !== after.length) return new Map();
  const gone = before.filter((handle) => !after.includes(handle));
  const added = after.filter((handle) => !before.includes(handle));
  const [from] = gone;
  const [to] = added;
  return gone.length === 1 && from !== undefined && to !== undefined ? new Map([[from, to]]) : new Map();
}

/** The latest run's data that this node's expressions can read; every line can be dragged into a field. */
function ReachableData({ id }: { readonly id: string }) {
  const { scope } = useForm();
  const draft = useEditorState((state) => state.draft);
  const sources = [
    { path: "$trigger.body", name: "Trigger", value: valueAt(scope.roots, "$trigger", ["body"]) },
    ...nodesBefore(draft, id).map((nodeId) => ({
      path: `${nodeReference(nodeId)}.output`,
      name: scope.nodeNames.get(nodeId) ?? nodeId,
      value: valueAt(scope.roots, "$nodes", [nodeId, "output"]),
    })),
  ];
  const known = sources.filter((source) => source.value !== undefined);
  return (
    <details className={styles.data}>
      <summary>Available data</summary>
      <div className={styles.sources}>
        <p className={styles.muted}>
          {known.length === 0
            ? "Run the flow once to drag its data into fields."
            : "From the latest run. Drag a value into a field to use it."}
        </p>
        {known.map(({ path, name, value }) => (
          <section key={path}>
            <h3 className={styles.source}>{name}</h3>
            <JsonTree value={value} path={path} label={`Data of ${name}`} />
          </section>
        ))}
      </div>
    </details>
  );
}
