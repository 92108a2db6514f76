import { Button } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { useDeletion } from "#components/deletion/pending-deletion.ts";
import { nameOf } from "#components/editor/commands/connect.ts";
import { allPlaced } from "#components/editor/levels/level.ts";
import { goToNode } from "#components/editor/levels/level-actions.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { firstClick } from "#components/page/first-click.ts";
import { ApiError } from "#lib/contract/client.ts";
import type { FlowTestResult, ShownFlowTest } from "#lib/contract/flows/flow-tests.ts";
import { Rehearsal } from "./rehearsal.tsx";
import { runTests, shownDefinition } from "./test-runs.ts";
import styles from "./tests-panel.module.css";
import { testsKey } from "./tests-query.ts";

const TestForm = lazy(async () => ({ default: (await import("./test-form.tsx")).TestForm }));

interface TestItemProps {
  readonly test: ShownFlowTest;
  /** Its result here; undefined until it has run. */
  readonly result: FlowTestResult | undefined;
}

/** A test, its result, and its actions. */
export function TestItem({ test, result }: TestItemProps) {
  const session = useSession();
  const { api, editor } = session;
  const queries = useQueryClient();
  const refusal = useAccess().refusal("tests:write");
  const [isEdited, setIsEdited] = useState(false);
  const params = { id: editor.flowId, testId: test.id };
  const listAgain = () => queries.invalidateQueries({ queryKey: testsKey(editor.flowId) });
  const accept = useMutation({
    mutationFn: () => api.call("acceptFlowTest", { params, body: { definition: shownDefinition(editor) } }),
    onSuccess: () => Promise.all([listAgain(), runTests(session, [test.id])]),
    onError: (error) => editor.say(`Nothing was accepted. ${sayFailure(error)}`, { tone: "problem" }),
  });
  const deleteLater = useDeletion();
  const remove = () =>
    deleteLater({
      id: test.id,
      message: `${test.name} is deleted.`,
      run: (caller) => caller.call("deleteFlowTest", { params, keepalive: true }),
      stale: ["flows"],
      failed: "The test was not deleted.",
    });
  const rehearse = useMutation({
    mutationFn: () => {
      const body = { testId: test.id, definition: shownDefinition(editor) };
      return api.call("rehearseFlow", { params: { id: editor.flowId }, body });
    },
    onError: (error) => editor.say(`Nothing was rehearsed. ${whyNot(error)}`, { tone: "problem" }),
  });
  const status = result?.status ?? test.lastResult?.status;
  const isFailed = result?.status === "failed";
  return (
    <li className={styles.item} aria-label={test.name}>
      <div className={styles.words}>
        <span className={styles.name} dir="auto">
          {test.name}
        </span>
        <span className={styles.status} data-status={status}>
          {status === "passed" && <IconCircleCheck size={14} aria-hidden="true" />}
          {status === "failed" && <IconCircleX size={14} aria-hidden="true" />}
          {status === undefined ? "Not run" : status === "passed" ? "Passed" : "Failed"}
          {result === undefined && test.lastResult !== null && ` on version ${test.lastResult.version}`}
        </span>
      </div>
      {isFailed && <FirstDifference result={result} />}
      <div className={styles.tools}>
        {isFailed && result.notRecorded.length === 0 && (
          <Button
            size="compact-xs"
            variant="default"
            disabled={refusal !== null}
            loading={accept.isPending}
            onClick={() => accept.mutate()}
          >
            Accept as expected
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={rehearse.isPending}
          aria-expanded={rehearse.isSuccess}
          onClick={() => (rehearse.isSuccess ? rehearse.reset() : rehearse.mutate())}
        >
          {rehearse.isSuccess ? "Hide the rehearsal" : "Rehearse"}
        </Button>
        <Button size="compact-xs" variant="default" disabled={refusal !== null} onClick={() => setIsEdited(true)}>
          Edit
        </Button>
        <Button size="compact-xs" variant="subtle" color="red" disabled={refusal !== null} onClick={firstClick(remove)}>
          Delete
        </Button>
      </div>
      {rehearse.isSuccess && <Rehearsal cases={rehearse.data.cases} />}
      {isEdited && (
        <Suspense>
          <TestForm test={test} onClose={() => setIsEdited(false)} />
        </Suspense>
      )}
    </li>
  );
}

/** Why a test cannot be rehearsed, in the server's words if it gives a reason. */
function whyNot(error: Error): string {
  const reason = error instanceof ApiError ? Object.values(error.details)[0] : undefined;
  return typeof reason === "string" ? `${reason}.` : sayFailure(error);
}

interface FirstDifferenceProps {
  readonly result: Pick<FlowTestResult, "problems">;
  /** Called when the link to the node is followed. */
  readonly onLeave?: () => void;
}

/** A test's first difference, with both values side by side. */
export function FirstDifference({ result: { problems }, onLeave }: FirstDifferenceProps) {
  const session = useSession();
  const draft = useEditorState((state) => state.draft);
  const nodes = allPlaced(draft.nodes, session.editor.types).map(({ node }) => node);
  const [first] = problems;
  if (first === undefined) return null;
  const { nodeId, path, message } = first;
  const isThere = nodeId !== null && nodes.some((node) => node.id === nodeId);
  return (
    <div className={styles.difference}>
      <p>
        {isThere && <strong dir="auto">{nameOf(nodes, nodeId)}</strong>} <code>{path}</code> {message}
      </p>
      <dl className={styles.values}>
        <Value label="Expected" value={first.expected} />
        <Value label="Actual" value={first.actual} />
      </dl>
      <div className={styles.tools}>
        {isThere && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              onLeave?.();
              goToNode(session, nodeId);
            }}
          >
            Show the node
          </Button>
        )}
        {problems.length > 1 && <span className={styles.more}>and {problems.length - 1} more</span>}
      </div>
    </div>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <pre>{JSON.stringify(value, null, 2)}</pre>
      </dd>
    </div>
  );
}
