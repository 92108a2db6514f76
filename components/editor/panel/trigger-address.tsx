import { whatCallsGet } from "#components/canvas/card-summary.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { CodeBlock, CopyButton } from "#components/page/copy-button.tsx";
import { useCalledMethod } from "./called-method.ts";
import { curlOf } from "./curl-of.ts";
import { useSampleRun } from "./data/use-sample-run.ts";
import triggerAddressStyles from "./trigger-address.module.css";

/** A sentence about what calls of the URL run now. */
function useCalls(): string {
  const status = useEditorState((state) => state.status);
  const version = useEditorState((state) => state.version);
  const isCopied = useEditorState((state) => state.copy !== null);
  return whatCallsGet(status, version, isCopied).whole;
}

/** The trigger URL, and a command that calls it with the latest run's input. */
export function TriggerAddress() {
  const { url } = useSession();
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
export function FormAddress() {
  const { url } = useSession();
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
