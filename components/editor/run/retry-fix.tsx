import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { retryFixed } from "./run-flow.ts";

/** Retries a failed run with the flow as changed since: from the failed node, naming the version. */
export function RetryFix({ run }: { readonly run: ShownExecution }) {
  const session = useSession();
  const version = useEditorState((state) => state.version);
  const copy = useEditorState((state) => state.copy);
  const isUnsaved = useEditorState(({ past, save }) => past.length > 0 && save.kind !== "saved");
  const refusal = useAccess().refusal("flows:execute");
  const [isStarting, setIsStarting] = useState(false);
  const isChanged = copy === null ? version !== run.flowVersion : copy.revision !== run.draftRevision;
  if (run.error === undefined || refusal !== null || !(isChanged || isUnsaved)) return null;
  const target = copy === null ? `version ${version}` : "unpublished changes";
  const retry = async () => {
    setIsStarting(true);
    await retryFixed(session, run).finally(() => setIsStarting(false));
  };
  return (
    <Button
      size="compact-sm"
      leftSection={<IconRefresh size={14} aria-hidden="true" />}
      loading={isStarting}
      onClick={() => void retry()}
    >
      Retry with the fix{isUnsaved ? "" : ` (${target})`}
    </Button>
  );
}
