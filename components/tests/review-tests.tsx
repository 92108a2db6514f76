import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
import { useSession } from "#components/editor/state/editor-context.ts";
import { sayFailure } from "#components/page/failure-notice.tsx";
import styles from "./review-tests.module.css";
import { FirstDifference } from "./test-item.tsx";
import { runTests, testRunsOf } from "./test-runs.ts";
import { testsOf } from "./tests-query.ts";

/** The maximum number of failing tests shown with their difference. */
const shownMax = 5;

/** The flow's test results with the changes under review; runs the tests when it opens. */
export function ReviewTests({ onLeave }: { readonly onLeave: () => void }) {
  const session = useSession();
  const { api, editor } = session;
  const tests = useQuery(testsOf(api, editor.flowId));
  const { results, isRunning } = useStore(testRunsOf(editor));
  const count = tests.data?.items.length ?? 0;
  useEffect(() => {
    if (count > 0) void runTests(session);
  }, [session, count]);
  if (tests.isError && tests.data === undefined) {
    return <p className={styles.note}>The tests could not be loaded. {sayFailure(tests.error)}</p>;
  }
  // Results from before are of another state of the flow.
  if (tests.isPending || isRunning) return <Skeleton height={40} mt="sm" />;
  if (count === 0) return <p className={styles.note}>The flow has no tests.</p>;
  const known = tests.data.items.flatMap((test) => {
    const result = results.get(test.id);
    return result === undefined ? [] : [{ test, result }];
  });
  const failed = known.filter(({ result }) => result.status === "failed");
  return (
    <section className={styles.tests} aria-label="Test results">
      <h3 data-failed={failed.length > 0 || undefined}>
        {failed.length > 0
          ? `${count === 1 ? "The test" : `${failed.length} of ${count} tests`} failed`
          : known.length === count
            ? `${count === 1 ? "The test" : `All ${count} tests`} passed`
            : "The tests were not run"}
      </h3>
      <ul>
        {failed.slice(0, shownMax).map(({ test, result }) => (
          <li key={test.id}>
            <strong>{test.name}</strong>
            <FirstDifference result={result} onLeave={onLeave} />
          </li>
        ))}
      </ul>
      {failed.length > shownMax && <p className={styles.note}>and {failed.length - shownMax} more</p>}
    </section>
  );
}
