import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { readableFrom } from "#components/editor/draft/nodes-before.ts";
import { useEditor, useEditorState } from "#components/editor/state/editor-context.ts";
import { useShownRun } from "#components/editor/state/use-run.ts";
import { type Evaluable, valueAt } from "#components/form/expression-scope.ts";
import { useForm } from "#components/form/form-context.ts";
import { JsonTree } from "#components/json/json-tree.tsx";
import { nodeReference } from "#lib/engine/node-reference.ts";
import styles from "../side-pane.module.css";

interface Source {
  /** The node whose output this is; undefined for anything else. */
  readonly nodeId?: string;
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

const whatStarted: Evaluable = { text: "$trigger", field: "expression", nodeIds: new Set() };

/** Loads an output that is not shown yet, because it may be large. */
function ReadButton({ name, read }: { readonly name: string; readonly read: (() => Promise<unknown>) | null }) {
  const reading = useMutation({ mutationFn: async () => await read?.() });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={reading.isPending}
        aria-label={`Show data of ${name}`}
        onClick={() => reading.mutate()}
      >
        Show data
      </Button>
      {reading.isError && <p className={styles.muted}>It could not be read.</p>}
    </>
  );
}

/** The data that this node's expressions can read, from the shown or latest run. Every line can be dragged into a field. */
export function ReachableData({ id }: { readonly id: string }) {
  const { scope } = useForm();
  const { types } = useEditor();
  const draft = useEditorState((state) => state.draft);
  const within = useEditorState((state) => state.within);
  const isShown = useShownRun() !== null;
  const hasRun = scope.unread(whatStarted) === null;
  const item: Source = { path: "$item", name: "Item", value: valueAt(scope.roots, "$item", []) };
  const sources: Source[] = [
    ...(within.length > 0 ? [item] : []),
    { path: "$trigger.body", name: "Trigger", value: hasRun ? valueAt(scope.roots, "$trigger", ["body"]) : undefined },
    ...readableFrom(draft, within, id, types).ancestors.map((nodeId) => ({
      nodeId,
      path: `${nodeReference(nodeId)}.output`,
      name: scope.nodeNames.get(nodeId) ?? nodeId,
      value: valueAt(scope.roots, "$nodes", [nodeId, "output"]),
    })),
  ];
  const unread = (nodeId: string | undefined) => (nodeId === undefined ? null : (scope.unreadOutput?.(nodeId) ?? null));
  const known = sources.filter((source) => source.value !== undefined || unread(source.nodeId) !== null);
  return (
    <details className={styles.data} open>
      <summary>Available data</summary>
      <div className={styles.sources}>
        <p className={styles.muted}>
          {known.length === 0
            ? "Run once to see the data that this node can use."
            : `From ${isShown ? "the run on screen" : "the latest run"}. Click a value to insert it at the cursor, or drag it into a field.`}
        </p>
        {known.map(({ nodeId, path, name, value }) => (
          <section key={path}>
            <h3 className={styles.source}>{name}</h3>
            {nodeId !== undefined && scope.failed?.has(nodeId) && (
              <p className={styles.muted}>It failed. Nodes after it can read why.</p>
            )}
            {value === undefined ? (
              <ReadButton name={name} read={unread(nodeId)} />
            ) : (
              <JsonTree value={value} path={path} label={`Data of ${name}`} />
            )}
          </section>
        ))}
      </div>
    </details>
  );
}
