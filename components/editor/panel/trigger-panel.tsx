import { NativeSelect } from "@mantine/core";
import { triggerIcons, triggerNames } from "#components/canvas/flow-graph.ts";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { ConfigForm } from "#components/form/config-form.tsx";
import { FormContext } from "#components/form/form-context.ts";
import { type FlowTrigger, triggerSource, triggerTypes } from "#lib/engine/flow.ts";
import { changeDetails } from "../commands/change-details.ts";
import { configPathOf } from "../draft/read-problems.ts";
import { useEditor, useEditorState } from "../state/editor-context.ts";
import { NextRuns } from "./next-runs.tsx";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";
import { TriggerAddress } from "./trigger-address.tsx";
import { triggerSchemas } from "./trigger-schemas.ts";
import { useNodeForm } from "./use-node-form.ts";

/** How the flow is started: by which kind of trigger, at which address, by whom. */
export function TriggerPanel() {
  const editor = useEditor();
  const trigger = useEditorState((state) => state.draft.trigger);
  const form = useNodeForm(triggerSource);
  const problems = useEditorState((state) => state.problems).filter(
    // What is wrong with a field is told at the field.
    (problem) => problem.nodeId === triggerSource && (configPathOf(problem) ?? "") === "",
  );
  const change = (changed: FlowTrigger, path: string) =>
    editor.change("Change the trigger", changeDetails({ trigger: changed }), `trigger ${path}`);
  return (
    <FormContext value={form}>
      <PaneHead
        icon={<NodeTile icon={triggerIcons[trigger.type]} family="trigger" />}
        title="Trigger"
        facts={<span>{triggerNames[trigger.type]}</span>}
      />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start" }}>
        {problems.length > 0 && (
          <ul className={styles.problems} style={{ margin: 0 }}>
            {problems.map((problem) => (
              <li key={problem.path}>{problem.message}</li>
            ))}
          </ul>
        )}
        <NativeSelect
          label="Started by"
          value={trigger.type}
          onChange={(event) => {
            const type = triggerTypes.find((one) => one === event.currentTarget.value) ?? "webhook";
            change({ type, config: {} }, "type");
          }}
          data={triggerTypes.map((type) => ({ value: type, label: triggerNames[type] }))}
        />
        {trigger.type === "webhook" && <TriggerAddress />}
        <ConfigForm
          schema={triggerSchemas[trigger.type]}
          config={trigger.config}
          onChange={(config, path) => change({ ...trigger, config }, path)}
        />
        {trigger.type === "schedule" && <NextRuns />}
      </div>
    </FormContext>
  );
}
