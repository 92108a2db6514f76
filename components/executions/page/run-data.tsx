import { LogList } from "#components/executions/log-list.tsx";
import { JsonTree } from "#components/json/json-tree.tsx";
import { isLive } from "#components/status/run-status.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import styles from "./run-view.module.css";

interface RunDataProps {
  readonly run: ShownExecution;
  readonly nameOf: (nodeId: string) => string;
}

/** The run's input, output and log. */
export default function RunData({ run, nameOf }: RunDataProps) {
  return (
    <>
      <div className={styles.pair}>
        <section className={styles.section} aria-labelledby="trigger-data">
          <h2 id="trigger-data" className={styles.heading}>
            Trigger data
          </h2>
          <JsonTree value={run.trigger.data} path="$trigger.body" label="Trigger data" />
        </section>
        <section className={styles.section} aria-labelledby="output">
          <h2 id="output" className={styles.heading}>
            Output
          </h2>
          {isLive(run.status) ? (
            <p className={styles.waiting}>No output yet.</p>
          ) : (
            <JsonTree value={run.output} path="output" label="Output of the run" />
          )}
        </section>
      </div>
      <section className={styles.section} aria-labelledby="logs">
        <h2 id="logs" className={styles.heading}>
          Logs
        </h2>
        <LogList entries={run.logs ?? []} run={run} nameOf={nameOf} />
      </section>
    </>
  );
}
