import { FailureMessage } from "./failure-message.tsx";
import { markPosition, type ShownNodeError } from "./node-error.ts";
import styles from "./node-error-view.module.css";

/** A node's failure: what went wrong, where in its config, and how to mend it. */
export function NodeErrorView({ error, nodeName }: { readonly error: ShownNodeError; readonly nodeName: string }) {
  const { message, code, field, expression, position, hint } = error;
  return (
    <div className={styles.error}>
      <p className={styles.message}>
        <FailureMessage message={message} expression={expression} />
      </p>
      <dl className={styles.facts}>
        <dt>Node</dt>
        <dd>{nodeName}</dd>
        {field !== null && (
          <>
            <dt>Field</dt>
            <dd className="mono">{field}</dd>
          </>
        )}
        {code !== null && (
          <>
            <dt>Code</dt>
            <dd className="mono">{code}</dd>
          </>
        )}
        {expression !== null && (
          <>
            <dt>Expression</dt>
            <dd>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              <pre className={styles.expression} data-marked={position !== null || undefined} tabIndex={0}>
                {position === null ? expression : markPosition(expression, position)}
              </pre>
            </dd>
          </>
        )}
      </dl>
      {hint !== null && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}
