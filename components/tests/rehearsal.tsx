import { nameOf } from "#components/editor/commands/connect.ts";
import { useEditorState, useSession } from "#components/editor/state/editor-context.ts";
import type { RehearsalCase } from "#lib/contract/flows/rehearsals.ts";
import styles from "./rehearsal.module.css";

const faultNames: Readonly<Record<RehearsalCase["fault"], string>> = {
  "no-answer": "No response",
  timeout: "Timeout",
  "status-500": "Status 500",
  "status-429": "Status 429",
  "bad-json": "Invalid JSON",
  empty: "Empty response",
  "killed-before": "Crash before it acts",
  "killed-after": "Crash after it acted",
};

/** Rehearses a test with one fault at a time: a table of the outcomes, node by node. */
export function Rehearsal({ cases }: { readonly cases: readonly RehearsalCase[] }) {
  const { editor, view } = useSession();
  const nodes = useEditorState((state) => state.draft.nodes);
  if (cases.length === 0) return <p className={styles.facts}>No node of this flow has side effects.</p>;
  const handled = cases.filter((rehearsed) => rehearsed.handled).length;
  const repeated = cases.filter((rehearsed) => rehearsed.repeatedEffects.length > 0).length;
  const facts = [`${handled} of ${cases.length} handled`, ...(repeated === 0 ? [] : [`${repeated} may act twice`])];
  return (
    <div className={styles.rehearsal}>
      <output className={styles.facts}>{facts.join(" · ")}</output>
      <table className={styles.cases} aria-label="Rehearsed faults">
        <thead>
          <tr>
            <th scope="col">Fault</th>
            <th scope="col">Result</th>
            <th scope="col">What happens</th>
          </tr>
        </thead>
        {[...Map.groupBy(cases, ({ nodeId }) => nodeId)].map(([nodeId, ofNode]) => (
          <tbody key={nodeId}>
            <tr>
              <th scope="rowgroup" colSpan={3}>
                <button
                  type="button"
                  className={styles.node}
                  onClick={() => {
                    if (!nodes.some((node) => node.id === nodeId)) return;
                    editor.select([nodeId]);
                    view.port?.focus(nodeId);
                  }}
                >
                  {nodes.some((node) => node.id === nodeId) ? nameOf(nodes, nodeId) : nodeId}
                </button>
              </th>
            </tr>
            {ofNode.map((rehearsed) => (
              <CaseRow key={rehearsed.fault} one={rehearsed} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function CaseRow({ one: rehearsed }: { readonly one: RehearsalCase }) {
  const { fault, note, repeatedEffects } = rehearsed;
  return (
    <tr>
      <th scope="row">{faultNames[fault]}</th>
      <td>
        <span className={styles.result} data-result={resultOf(rehearsed)}>
          {resultNames[resultOf(rehearsed)]}
        </span>
        {repeatedEffects.length > 0 && <span className={styles.twice}>May act twice</span>}
      </td>
      <td>{note}</td>
    </tr>
  );
}

const resultNames = {
  handled: "Handled",
  unnoticed: "Unnoticed",
  failed: "Run fails",
  unreached: "Not reached",
} as const;

/** `unnoticed`: the run completed, and nothing in it handled the fault. */
function resultOf({ attempts, handled, status }: RehearsalCase): keyof typeof resultNames {
  if (attempts === 0) return "unreached";
  if (handled) return "handled";
  return status === "failed" ? "failed" : "unnoticed";
}
