import { NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { describeAnswer } from "#components/canvas/card-summary.ts";
import { triggerIcons, triggerNames } from "#components/canvas/flow-graph.ts";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { changeDetails } from "#components/editor/commands/change.ts";
import { curlOf, useCalledMethod } from "#components/editor/curl/curl.ts";
import { configPathOf } from "#components/editor/draft/read-problems.ts";
import { useEditor, useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { ConfigForm } from "#components/form/config-form.tsx";
import { asText, problemText } from "#components/form/field-spec.ts";
import { FormContext } from "#components/form/form-context.ts";
import { JsonText } from "#components/form/widgets/json-widget.tsx";
import { ownZone } from "#components/form/widgets/zone-widget.tsx";
import { CodeBlock, CopyButton } from "#components/page/copy-button.tsx";
import { formatExact, useExactTime } from "#components/time/relative-time.tsx";
import { type FlowTrigger, isPollTrigger, triggerSource, triggerTypes } from "#lib/engine/flow.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { useSampleRun } from "./data/use-sample-run.ts";
import { FormOrJson } from "./form-or-json.tsx";
import { PaneHead } from "./pane-head.tsx";
import { LastPoll } from "./polls/last-poll.tsx";
import { withRequestForm } from "./polls/poll-trigger-schemas.ts";
import styles from "./side-pane.module.css";
import triggerAddressStyles from "./trigger-address.module.css";
import { usedTriggerSchema } from "./trigger-schemas.ts";
import { useNodeForm } from "./use-node-form.ts";

/** A new schedule runs by the clock of whoever makes it. */
const startOf = (type: FlowTrigger["type"]): FlowTrigger["config"] =>
  type === "schedule" && ownZone() !== "UTC" ? { timezone: ownZone() } : {};

/** How the flow starts: the trigger's type, its URL, and who may call it. */
export function TriggerPanel() {
  const editor = useEditor();
  const trigger = useEditorState((state) => state.draft.trigger);
  const { form } = useNodeForm(triggerSource);
  const [view, setView] = useState("form");
  const request = editor.typeOf("http-request")?.configSchema;
  const schema = withRequestForm(trigger.type, usedTriggerSchema(trigger), request);
  const problems = useEditorState((state) => state.problems).filter(
    // Problems of fields are shown at the fields.
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
            const type = triggerTypes.find((candidate) => candidate === event.currentTarget.value) ?? "webhook";
            change({ type, config: startOf(type) }, "type");
          }}
          data={triggerTypes.map((type) => ({ value: type, label: triggerNames[type] }))}
        />
        {trigger.type === "webhook" && <TriggerAddress />}
        {trigger.type === "form" && <FormAddress />}
        {view === "form" ? (
          <ConfigForm
            schema={schema}
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
        {isPollTrigger(trigger.type) && <LastPoll schema={schema} />}
      </div>
    </FormContext>
  );
}

const pauseMs = 300;

/** The schedule's next runs, in its own time zone. An invalid schedule shows its error at the field instead. */
function NextRuns() {
  const { api } = useSession();
  const config = useEditorState((state) => state.draft.trigger.config);
  const [cron] = useDebouncedValue(asText(config.cron), pauseMs);
  const [timezone] = useDebouncedValue(asText(config.timezone), pauseMs);
  const { explain } = useExactTime();
  const status = useEditorState((state) => state.status);
  const { data } = useQuery({
    queryKey: ["schedules", "preview", cron, timezone],
    queryFn: async ({ signal }) => {
      const body = { cron, ...(timezone !== "" && { timezone }) };
      const preview = await api.call("previewSchedule", { body, signal }).catch(() => null);
      return preview && { times: preview.times, zone: timezone || "UTC" };
    },
    enabled: cron !== "",
    placeholderData: keepPreviousData,
  });
  if (cron === "" || data === undefined || data === null) return null;
  return (
    <section aria-label="Next runs">
      <h3 className={styles.where}>Next runs, in {data.zone}</h3>
      {status !== "active" && <p className={styles.muted}>They start once the flow is live.</p>}
      {data.times.length === 0 && <p className={styles.muted}>This schedule never runs.</p>}
      <ol className={styles.times}>
        {data.times.map((at) => (
          <li key={at} title={explain(at)}>
            {formatExact(at, data.zone)}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A sentence about what calls of the URL run now. */
function useCalls(): string {
  const status = useEditorState((state) => state.status);
  const version = useEditorState((state) => state.version);
  const isCopied = useEditorState((state) => state.copy !== null);
  return describeAnswer(status, version, isCopied).whole;
}

/** The trigger URL, and a command that calls it with the latest run's input. */
function TriggerAddress() {
  const url = useEditorState((state) => state.url);
  const method = useCalledMethod();
  const data = useSampleRun()?.trigger.data;
  const calls = useCalls();
  const isUnpublished = useEditorState((state) => state.copy?.changesTrigger === true);
  if (url === null) return null;
  return (
    <div className={triggerAddressStyles.address}>
      <div className={triggerAddressStyles.line}>
        <span className={triggerAddressStyles.method}>{method}</span>
        <span className={triggerAddressStyles.url} title={url}>
          {url}
        </span>
        <CopyButton text={url} label="Copy trigger URL" />
      </div>
      <p className={triggerAddressStyles.calls}>
        {calls}
        {isUnpublished && " The settings below take effect once they are published."}
      </p>
      <CodeBlock text={curlOf(method, url, data)} label="Copy command" />
    </div>
  );
}

/** The form's URL, which people open. */
function FormAddress() {
  const url = useEditorState((state) => state.url);
  const calls = useCalls();
  if (url === null) return null;
  return (
    <div className={triggerAddressStyles.address}>
      <div className={triggerAddressStyles.line}>
        <a className={triggerAddressStyles.url} href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <CopyButton text={url} label="Copy form link" />
      </div>
      <p className={triggerAddressStyles.calls}>{calls}</p>
    </div>
  );
}
