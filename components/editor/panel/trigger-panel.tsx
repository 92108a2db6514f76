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

/** When the schedule comes next, as far as it is one; what is wrong with it is told at its field. */
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
      {data.times.length === 0 && <p className={styles.muted}>It never comes.</p>}
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

/** What each kind of trigger is asked for, in the form of the nodes' config schemas. */
const triggerSchemas = {
  webhook: {
    type: "object",
    properties: {
      method: {
        title: "Method",
        description: "Which calls start the flow.",
        type: "string",
        enum: [...triggerMethods],
        default: "POST",
      },
      authentication: {
        title: "Callers show",
        description: "How callers prove who they are. All but none need a credential of that type to compare with.",
        type: "string",
        enum: [...triggerAuthentications],
        default: "none",
      },
      credential: {
        title: "Credential",
        description: "The stored credential that callers are compared with.",
        type: "string",
        format: "credential",
      },
      preset: {
        title: "Signature of",
        description: "For hmac: a sender whose way of signing is known.",
        type: "string",
        enum: [...signaturePresets],
      },
      respond: {
        title: "Answer",
        description: "When set to immediately, the caller gets 202 at once instead of the flow's answer.",
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
        description: "As Europe/Zurich; UTC when missing.",
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

/** The address that starts the flow, and a command that calls it with what started the latest run. */
function TriggerAddress() {
  const { url } = useSession();
  const config = useEditorState((state) => state.draft.trigger.config);
  const method = asText(config.method) || "POST";
  const data = useSampleRun()?.trigger.data;
  const status = useEditorState((state) => state.status);
  const version = useEditorState((state) => state.version);
  if (url === null) return null;
  return (
    <div className={triggerAddressStyles.address}>
      <div className={triggerAddressStyles.line}>
        <span className={triggerAddressStyles.method}>{method}</span>
        <span className={triggerAddressStyles.url} title={url}>
          {url}
        </span>
        <CopyButton text={url} label="Copy the trigger URL" />
      </div>
      <p className={triggerAddressStyles.calls}>{whatCallsGet(status, version).whole}</p>
      <CodeBlock text={curlOf(method, url, data)} label="Copy the command" />
    </div>
  );
}
