import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconTestPipe } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useAccess } from "#components/api/use-api.ts";
import { useSession } from "#components/editor/state/editor-context.ts";
import { runQueries } from "#components/executions/run-queries.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { createTestFrom } from "./tests-query.ts";

/** Creates a test from a run. */
function useMakeTest() {
  const { api, editor } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => createTestFrom(api, queries, { id, flowId: editor.flowId }),
    onSuccess: (name) => editor.say(`Test "${name}" created.`),
    onError: (error) => editor.say(`No test was created. ${sayFailure(error)}`, { tone: "problem" }),
  });
}

/** Creates a test from the shown run, and shows the flow's tests. */
export function MakeTest({ run }: { readonly run: Pick<ShownExecution, "id" | "status"> }) {
  const { editor } = useSession();
  const refusal = useAccess().refusal("tests:write");
  const make = useMakeTest();
  const hasEnded = run.status === "completed" || run.status === "failed";
  if (!hasEnded) return null;
  const label = refusal ?? "Make a test from this run";
  return (
    <Tooltip label={label} position="top">
      <ActionIcon
        variant="subtle"
        size={28}
        aria-label={label}
        disabled={refusal !== null}
        loading={make.isPending}
        onClick={() => make.mutate(run.id, { onSuccess: () => editor.show("tests") })}
      >
        <IconTestPipe size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Creates a test from the flow's latest completed run; nothing if there is none. */
export function MakeTestOfLatest() {
  const { api, editor } = useSession();
  const refusal = useAccess().refusal("tests:write");
  const make = useMakeTest();
  const latest = useQuery(
    runQueries.list(api, { flow: editor.flowId, status: "completed", limit: 1, page: undefined }),
  );
  const run = latest.data?.items[0];
  if (run === undefined) return null;
  return (
    <Button
      size="compact-sm"
      leftSection={<IconTestPipe size={14} aria-hidden="true" />}
      disabled={refusal !== null}
      title={refusal ?? undefined}
      loading={make.isPending}
      onClick={() => make.mutate(run.id)}
    >
      Make a test from the latest run
    </Button>
  );
}
