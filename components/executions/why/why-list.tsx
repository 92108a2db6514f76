import { useExactTime } from "#components/time/relative-time.tsx";
import type { Reason, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import { describeReasons } from "./describe-reasons.ts";
import styles from "./why-list.module.css";

interface WhyListProps {
  readonly why: readonly Reason[];
  /** The list's label, for screen readers. */
  readonly label: string;
  readonly statusOf: (nodeId: string) => ShownNodeExecution["status"] | undefined;
  readonly nameOf: (nodeId: string) => string;
  /** Opens a node; missing if nodes cannot be opened here. */
  readonly onSelect?: (nodeId: string) => void;
}

const valueCharactersMax = 400;

/** Why a node is in its state: sentences that name the nodes, with the expressions and their values. */
export function WhyList({ why, label, statusOf, nameOf, onSelect }: WhyListProps) {
  const { format } = useExactTime();
  const reasons = describeReasons(why, { statusOf, formatTime: format });
  return (
    <ol className={styles.reasons} aria-label={label}>
      {reasons.map(({ nodeId, text, expression, value }) => (
        <li key={`${nodeId} ${text} ${expression}`}>
          {nodeId !== null && <NodeName name={nameOf(nodeId)} {...(onSelect && { onOpen: () => onSelect(nodeId) })} />}{" "}
          {text}
          {expression !== null && <code className={styles.code}>{`${expression} = ${shownValue(value)}`}</code>}
        </li>
      ))}
    </ol>
  );
}

function NodeName({ name, onOpen }: { readonly name: string; readonly onOpen?: () => void }) {
  if (onOpen === undefined) return <strong>{name}</strong>;
  return (
    <button type="button" className={styles.node} onClick={onOpen}>
      {name}
    </button>
  );
}

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text;
}

interface WhyNodeProps extends Omit<WhyListProps, "label"> {
  readonly status: ShownNodeExecution["status"];
}

/** Why a node did not run, failed or waited, with a heading; nothing without reasons. */
export function WhyNode({ status, ...list }: WhyNodeProps) {
  if (status === "skipped" && list.why.length === 0) {
    return <p className={styles.nothing}>It did not run: no path led to it before the run ended.</p>;
  }
  if (list.why.length === 0) return null;
  const heading =
    status === "skipped"
      ? "Why it did not run"
      : list.why.some(({ expression }) => expression !== null)
        ? "What the expression read"
        : "What it waited for";
  return (
    <section className={styles.why}>
      <h3 className={styles.heading}>{heading}</h3>
      <WhyList {...list} label={heading} />
    </section>
  );
}
