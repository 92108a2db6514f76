import { whatCallsGet } from "#components/canvas/card-summary.ts";
import { asText } from "#components/form/as-text.ts";
import { CodeBlock } from "#components/page/code-block.tsx";
import { CopyButton } from "#components/page/copy-button.tsx";
import { useEditorState, useSession } from "../state/editor-context.ts";
import { curlOf } from "./curl-of.ts";
import styles from "./trigger-address.module.css";
import { useSampleRun } from "./use-sample-run.ts";

/** The address that starts the flow, and a command that calls it with what started the latest run. */
export function TriggerAddress() {
  const { url } = useSession();
  const config = useEditorState((state) => state.draft.trigger.config);
  const method = asText(config.method) || "POST";
  const data = useSampleRun()?.trigger.data;
  const status = useEditorState((state) => state.status);
  const version = useEditorState((state) => state.version);
  if (url === null) return null;
  return (
    <div className={styles.address}>
      <div className={styles.line}>
        <span className={styles.method}>{method}</span>
        <span className={styles.url} title={url}>
          {url}
        </span>
        <CopyButton text={url} label="Copy the trigger URL" />
      </div>
      <p className={styles.calls}>{whatCallsGet(status, version).whole}</p>
      <CodeBlock text={curlOf(method, url, data)} label="Copy the command" />
    </div>
  );
}
