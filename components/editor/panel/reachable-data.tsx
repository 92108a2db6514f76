import { valueAt } from "#components/form/expression-scope.ts";
import { useForm } from "#components/form/form-context.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { nodeReference } from "#lib/engine/node-reference.ts";
import { nodesBefore } from "../draft/nodes-before.ts";
import { useEditorState } from "../state/editor-context.ts";
import styles from "./side-pane.module.css";

/** The data of the latest run that this node's expressions can read; every line can be dragged into a field. */
export function ReachableData({ id }: { readonly id: string }) {
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
      <summary>Data in reach</summary>
      <div className={styles.sources}>
        <p className={styles.muted}>
          {known.length === 0
            ? "Run the flow once: what it was given and what was made can then be dragged into fields."
            : "From the latest run. Drag a line into a field to use it there."}
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
