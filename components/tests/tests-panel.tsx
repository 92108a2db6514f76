import { Button, Skeleton, Switch } from "@mantine/core";
import { IconHistory, IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useStore } from "zustand";
import { useAccess } from "#components/api/use-api.ts";
import { useRemaining } from "#components/deletion/pending-deletion.ts";
import { changeDetails } from "#components/editor/commands/change.ts";
import { PaneHead } from "#components/editor/panel/pane-head.tsx";
import paneStyles from "#components/editor/panel/side-pane.module.css";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import { MakeTestOfLatest } from "./make-test.tsx";
import { TestItem } from "./test-item.tsx";
import { resultsInWords, runTests, testRunsOf } from "./test-runs.ts";
import styles from "./tests-panel.module.css";
import { testsOf } from "./tests-query.ts";

const TestForm = lazy(async () => ({ default: (await import("./test-form.tsx")).TestForm }));

/** The flow's tests: runs them against the canvas and shows each result. */
export function TestsPanel() {
  const session = useSession();
  const { api, editor } = session;
  const { results, isRunning } = useStore(testRunsOf(editor));
  const tests = useQuery(testsOf(api, editor.flowId));
  const refusal = useAccess().refusal("tests:write");
  const [isWriting, setIsWriting] = useState(false);
  const items = useRemaining(tests).data?.items ?? [];
  const facts = resultsInWords(items, results);
  return (
    <>
      <PaneHead title="Tests" facts={facts !== undefined && <output>{facts}</output>} />
      <div className={paneStyles.body}>
        {tests.isPending && <Skeleton height={64} />}
        {tests.isError && <p className={paneStyles.muted}>The tests could not be loaded. {sayFailure(tests.error)}</p>}
        {tests.isSuccess && items.length === 0 && (
          <p className={paneStyles.muted}>
            A test replays a run without sending anything. Create one from a run of this flow, or write it by hand.
          </p>
        )}
        <div className={styles.tools}>
          {tests.isSuccess && items.length === 0 && <MakeTestOfLatest />}
          {items.length > 0 && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlayerPlay size={14} aria-hidden="true" />}
              loading={isRunning}
              onClick={() => void runTests(session)}
            >
              Run all
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            disabled={refusal !== null}
            title={refusal ?? undefined}
            onClick={() => setIsWriting(true)}
          >
            New test
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconHistory size={14} aria-hidden="true" />}
            onClick={() => editor.store.setState({ isBacktesting: true })}
          >
            What would have changed?
          </Button>
          {items.length > 0 && <RequiredSwitch />}
        </div>
        {isWriting && (
          <Suspense>
            <TestForm onClose={() => setIsWriting(false)} />
          </Suspense>
        )}
        <ul className={styles.list}>
          {items.map((test) => (
            <TestItem key={test.id} test={test} result={results.get(test.id)} />
          ))}
        </ul>
      </div>
    </>
  );
}

/** Whether failing tests block activation. */
function RequiredSwitch() {
  const { editor } = useSession();
  const settings = useEditorState((state) => state.draft.settings);
  const refusal = useAccess().refusal("flows:write");
  return (
    <Switch
      size="xs"
      label="Must pass to go live"
      checked={settings.tests?.requiredToActivate === true}
      disabled={refusal !== null}
      onChange={({ currentTarget: { checked } }) => {
        const next = { ...settings, tests: { ...settings.tests, requiredToActivate: checked } };
        editor.changeFlow("Require passing tests", changeDetails({ settings: next }));
      }}
    />
  );
}
