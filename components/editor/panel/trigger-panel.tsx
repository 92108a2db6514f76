import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { triggerIcons, triggerNames } from "#components/canvas/flow-graph.ts";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { changeDetails } from "#components/editor/commands/change.ts";
import { configPathOf } from "#components/editor/draft/read-problems.ts";
import { useEditor, useEditorState } from "#components/editor/state/editor-context.ts";
import { ConfigForm } from "#components/form/config-form.tsx";
import { FormContext } from "#components/form/form-context.ts";
import { problemText } from "#components/form/problem-text.ts";
import { JsonText } from "#components/form/widgets/json-text.tsx";
import { type FlowTrigger, isPollTrigger, triggerSource, triggerTypes } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { FormOrJson } from "./form-or-json.tsx";
import { NextRuns } from "./next-runs.tsx";
import { PaneHead } from "./pane-head.tsx";
import { LastPoll } from "./polls/last-poll.tsx";
import { withRequestForm } from "./polls/poll-trigger-schemas.ts";
import styles from "./side-pane.module.css";
import { FormAddress, TriggerAddress } from "./trigger-address.tsx";
import { triggerSchemas } from "./trigger-schemas.ts";
import { useNodeForm } from "./use-node-form.ts";

/** How the flow is started: the kind of trigger, its URL, and who may call it. */
export function TriggerPanel() {
  const editor = useEditor();
  const trigger = useEditorState((state) => state.draft.trigger);
  const { form } = useNodeForm(triggerSource);
  const [view, setView] = useState("form");
  const request = editor.typeOf("http-request")?.configSchema;
  const problems = useEditorState((state) => state.problems).filter(
    // A field's problem is shown at the field.
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
        tools={<FormOrJson view={view} onChoose={setView} label="Trigger view" />}
      />
      <div className={`${styles.body} ${styles.stack}`} style={{ alignContent: "start" }}>
        {problems.length > 0 && (
          <ul className={styles.problems} style={{ margin: 0 }}>
            {problems.map((problem) => (
              <li key={problem.path}>{problemText(problem.message)}</li>
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
        {trigger.type === "form" && <FormAddress />}
        {view === "form" ? (
          <ConfigForm
            schema={withRequestForm(trigger.type, triggerSchemas[trigger.type], request)}
            config={trigger.config}
            onChange={(config, path) => change({ ...trigger, config }, path)}
          />
        ) : (
          <JsonText
            label="Config as JSON"
            value={trigger.config}
            onChange={(config) => {
              if (isJsonObject(config)) change({ ...trigger, config }, "json");
            }}
            lines={8}
          />
        )}
        {trigger.type === "schedule" && <NextRuns />}
        {isPollTrigger(trigger.type) && <LastPoll />}
      </div>
    </FormContext>
  );
}
