import { NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { whatCallsGet } from "#components/canvas/card-summary.ts";
import { triggerIcons, triggerNames } from "#components/canvas/flow-graph.ts";
import { NodeTile } from "#components/canvas/node-tile.tsx";
import { changeDetails } from "#components/editor/commands/change.ts";
import { configPathOf } from "#components/editor/draft/read-problems.ts";
import { useEditor, useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { ConfigForm } from "#components/form/config-form.tsx";
import { asText } from "#components/form/field-spec.ts";
import { FormContext } from "#components/form/form-context.ts";
import { CodeBlock, CopyButton } from "#components/page/copy-button.tsx";
import { useExactTime } from "#components/time/relative-time.tsx";
import {
  type FlowTrigger,
  signaturePresets,
  triggerAuthentications,
  triggerMethods,
  triggerSource,
  triggerTypes,
} from "#lib/engine/flow.ts";
import { curlOf } from "./curl-of.ts";
import { PaneHead } from "./pane-head.tsx";
import styles from "./side-pane.module.css";
import triggerAddressStyles from "./trigger-address.module.css";
import { useNodeForm } from "./use-node-form.ts";
import { useSampleRun } from "./use-sample-run.ts";

const pauseMs = 300;

/** The schedule's next runs. An invalid schedule shows its error at the field instead. */
function NextRuns() {
  const { api } = useSession();
  const config = useEditorState((state) => state.draft.trigger.config);
  const [cron] = useDebouncedValue(asText(config.cron), pauseMs);
  const [timezone] = useDebouncedValue(asText(config.timezone), pauseMs);
  const { format, explain } = useExactTime();
  const { data } = useQuery({
    queryKey: ["schedules", "preview", cron, timezone],
    queryFn: ({ signal }) =>
      api.call("previewSchedule", { body: { cron, ...(timezone !== "" && { timezone }) }, signal }).catch(() => null),
    enabled: cron !== "",
    placeholderData: keepPreviousData,
  });
  if (cron === "" || data === undefined || data === null) return null;
  return (
    <section aria-label="Next runs">
      <h3 className={styles.where}>Next runs</h3>
      {data.times.length === 0 && <p className={styles.muted}>This schedule never runs.</p>}
      <ol className={styles.times}>
        {data.times.map((at) => (
          <li key={at} title={explain(at)}>
            {format(at)}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The settings of each kind of trigger, in the form of the nodes' config schemas. */
const triggerSchemas = {
  webhook: {
    type: "object",
    properties: {
      method: {
        title: "Method",
        description: "The HTTP method of calls that start the flow.",
        type: "string",
        enum: [...triggerMethods],
        default: "POST",
      },
      authentication: {
        title: "Authentication",
        description: "How callers authenticate. Every kind except none needs a credential of that type.",
        type: "string",
        enum: [...triggerAuthentications],
        default: "none",
      },
      credential: {
        title: "Credential",
        description: "The stored credential that calls are checked against.",
        type: "string",
        format: "credential",
      },
      preset: {
        title: "Signature preset",
        description: "For hmac: a sender whose signature format is known.",
        type: "string",
        enum: [...signaturePresets],
      },
      respond: {
        title: "Response",
        description: "Choose immediately to answer 202 at once instead of waiting for the flow.",
        type: "string",
        enum: ["immediately"],
      },
    },
  },
  manual: { type: "object", properties: {} },
  schedule: {
    type: "object",
    required: ["cron"],
    properties: {
      cron: {
        title: "Cron",
        description: "When it runs: minute, hour, day, month, weekday. 0 9 * * 1-5 is nine o'clock on workdays.",
        type: "string",
        format: "plain",
      },
      timezone: {
        title: "Time zone",
        description: "Such as Europe/Zurich. Default: UTC.",
        type: "string",
        format: "plain",
      },
      misfire: {
        title: "Missed runs",
        description: "What happens to runs that were due while the service was down.",
        type: "string",
        enum: ["skip", "once", "all"],
      },
    },
  },
} as const;

/** How the flow is started: the kind of trigger, its URL, and who may call it. */
export function TriggerPanel() {
  const editor = useEditor();
  const trigger = useEditorState((state) => state.draft.trigger);
  const form = useNodeForm(triggerSource);
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

/** The trigger URL, and a command that calls it with the latest run's input. */
function TriggerAddress() {
  const { url } = useSession();
  const config = useEditorState((state) => state.draft.trigger.config);
  const method = asText(config.method) || "POST";
  const data = useSampleRun()?.trigger.data;
  const status = useEditorState((state) => state.status);
  const version = useEditorState((state) => state.version);
  const copy = useEditorState((state) => state.copy);
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
        {whatCallsGet(status, version, copy !== null).whole}
        {copy?.changesTrigger && " What you see here holds once it is published."}
      </p>
      <CodeBlock text={curlOf(method, url, data)} label="Copy command" />
    </div>
  );
}
