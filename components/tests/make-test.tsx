import { ActionIcon, Tooltip } from "@mantine/core";
import { IconTestPipe } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useAccess } from "#components/api/use-api.ts";
import { useSession } from "#components/editor/state/editor-context.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { testsKey } from "./tests-query.ts";

/** Creates a test from the shown run, and shows the flow's tests. */
export function MakeTest({ run }: { readonly run: Pick<ShownExecution, "id" | "status"> }) {
  const { api, editor } = useSession();
  const queries = useQueryClient();
  const refusal = useAccess().refusal("tests:write");
  const make = useMutation({
    mutationFn: () => api.call("createFlowTest", { params: { id: editor.flowId }, body: { fromExecutionId: run.id } }),
    onSuccess: async ({ name }) => {
      editor.say(`The test "${name}" was made.`);
      editor.show("tests");
      await queries.invalidateQueries({ queryKey: testsKey(editor.flowId) });
    },
    onError: (error) => editor.say(`No test was made: ${whyNot(error)}`, { tone: "problem" }),
  });
  const hasEnded = run.status === "completed" || run.status === "failed";
  if (!hasEnded) return null;
  const label = refusal ?? "Make a test of this run";
  return (
    <Tooltip label={label} position="top">
      <ActionIcon
        variant="subtle"
        size={28}
        aria-label={label}
        disabled={refusal !== null}
        loading={make.isPending}
        onClick={() => make.mutate()}
      >
        <IconTestPipe size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Why a run cannot become a test, in the server's words. */
function whyNot(error: Error): string {
  const told = error instanceof ApiError ? error.details.fromExecutionId : undefined;
  return typeof told === "string" ? `${told}.` : explainFailure(error).why;
}
