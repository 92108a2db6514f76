import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useAccess } from "#components/api/use-api.ts";
import { nameOf } from "#components/editor/commands/connect.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { explainFailure } from "#components/page/failure-notice.tsx";
import type { FlowTestResult, ShownFlowTest } from "#lib/contract/flows/flow-tests.ts";
import { runTests, shownDefinition } from "./test-runs.ts";
import { testsKey } from "./tests-key.ts";
import styles from "./tests-panel.module.css";

interface TestItemProps {
  readonly test: ShownFlowTest;
  /** What it came to here; undefined until it is run. */
  readonly result: FlowTestResult | undefined;
}

/** A test, what it came to, and what can be done about that. */
export function TestItem({ test, result }: TestItemProps) {
  const session = useSession();
  const { api, editor } = session;
  const queries = useQueryClient();
  const refusal = useAccess().refusal("tests:write");
  const params = { id: editor.flowId, testId: test.id };
  const listAgain = () => queries.invalidateQueries({ queryKey: testsKey(editor.flowId) });
  const accept = useMutation({
    mutationFn: () => api.call("acceptFlowTest", { params, body: { definition: shownDefinition(editor) } }),
    onSuccess: () => Promise.all([listAgain(), runTests(session, [test.id])]),
    onError: (error) => editor.say(`Nothing was accepted. ${explainFailure(error).why}`, { tone: "problem" }),
  });
  const remove = useMutation({
    mutationFn: () => api.call("deleteFlowTest", { params }),
    onSuccess: listAgain,
    onError: (error) => editor.say(`The test was not deleted. ${explainFailure(error).why}`, { tone: "problem" }),
  });
  const status = result?.status ?? test.lastResult?.status;
  const isFailed = result?.status === "failed";
  return (
    <li className={styles.item} aria-label={test.name}>
      <div className={styles.words}>
        <span className={styles.name}>{test.name}</span>
        <span className={styles.status} data-status={status}>
          {status === undefined ? "Not run" : status === "passed" ? "Passed" : "Failed"}
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
          variant="subtle"
          color="red"
          disabled={refusal !== null}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Delete
        </Button>
      </div>
    </li>
  );
}

/** Where a test first differs, with both values side by side. */
function FirstDifference({ result: { problems } }: { readonly result: FlowTestResult }) {
  const { editor, view } = useSession();
  const nodes = useEditorState((state) => state.draft.nodes);
  const [first] = problems;
  if (first === undefined) return null;
  const { nodeId, path, message } = first;
  const isThere = nodeId !== null && nodes.some((node) => node.id === nodeId);
  return (
    <div className={styles.difference}>
      <p>
        {isThere && <strong>{nameOf(nodes, nodeId)}</strong>} <code>{path}</code> {message}
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
              editor.select([nodeId]);
              view.port?.focus(nodeId);
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
