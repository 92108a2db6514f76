import { type Icon, IconAlertTriangle, IconBan, IconCircleX, IconClockX, IconHandClick } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "#components/api/use-api.ts";
import { FailureMessage, readNodeError } from "#components/executions/node-error.tsx";
import { flowQueries } from "#components/flows/flow-queries.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import styles from "./run-notes.module.css";

interface RunNotesProps {
  readonly run: ShownExecution;
  readonly onSelect: (nodeId: string) => void;
}

/** What must not be overlooked: why the run failed or was cancelled, what it waits for, and its warnings. */
export function RunNotes({ run, onSelect }: RunNotesProps) {
  const types = useQuery(flowQueries.nodeTypes(useApi())).data ?? [];
  const called = new Set(types.filter(({ waitsFor }) => waitsFor === "call").map(({ type }) => type));
  const waiting = run.nodes.filter(({ status, type }) => status === "running" && called.has(type));
  return (
    <>
      {run.error !== undefined && <FailureNote run={run} error={run.error} onSelect={onSelect} />}
      {run.status === "cancelled" && run.reason && (
        <RunNote tone="cancelled" icon={IconBan} title="Cancelled">
          <p>{run.reason}</p>
        </RunNote>
      )}
      {waiting.map(({ nodeId, nodeName }) => (
        <RunNote
          key={nodeId}
          tone="running"
          icon={IconHandClick}
          title={`${nodeName} is waiting for an answer`}
          link={{ label: "Show the node", onFollow: () => onSelect(nodeId) }}
        >
          <p>The run continues when its URL is called or when you answer here.</p>
        </RunNote>
      ))}
      <Warnings warnings={run.warnings} onSelect={onSelect} />
    </>
  );
}

interface FailureNoteProps extends RunNotesProps {
  readonly error: NonNullable<ShownExecution["error"]>;
}

function FailureNote({ run, error, onSelect }: FailureNoteProps) {
  const failed = run.nodes.find((node) => node.nodeId === error.nodeId);
  const nodeError = readNodeError(failed?.error);
  const isTimeout = run.status === "timeout";
  const hint = isTimeout
    ? "See below where the time went. The time limit is one of the flow's settings."
    : nodeError?.hint;
  return (
    <RunNote
      role="alert"
      tone={isTimeout ? "timeout" : "failed"}
      icon={isTimeout ? IconClockX : IconCircleX}
      title={failed ? `${failed.nodeName} failed` : isTimeout ? "The run timed out" : "The run failed"}
      {...(failed && { link: { label: "Show the error", onFollow: () => onSelect(failed.nodeId) } })}
    >
      <p>
        <FailureMessage message={error.message} expression={nodeError?.expression ?? null} />
      </p>
      {hint && <p className={styles.hint}>{hint}</p>}
    </RunNote>
  );
}

/** All warnings in one note: ten attempts of a node must not push the run off the screen. */
function Warnings({
  warnings,
  onSelect,
}: { readonly warnings: ShownExecution["warnings"] } & Pick<RunNotesProps, "onSelect">) {
  if (warnings.length === 0) return null;
  return (
    <RunNote
      tone="timeout"
      icon={IconAlertTriangle}
      title={warnings.length === 1 ? "A warning" : `${warnings.length} warnings`}
    >
      <ul className={styles.warnings}>
        {warnings.map(({ timestamp, nodeId, message }) => (
          <li key={`${timestamp}${nodeId}${message}`}>
            <span>{message}</span>
            {nodeId !== null && (
              <button type="button" className={styles.link} onClick={() => onSelect(nodeId)}>
                Show the node
              </button>
            )}
          </li>
        ))}
      </ul>
    </RunNote>
  );
}

interface RunNoteProps {
  readonly tone: "failed" | "timeout" | "cancelled" | "running";
  readonly icon: Icon;
  readonly title: string;
  readonly role?: "alert";
  readonly link?: { readonly label: string; readonly onFollow: () => void };
  readonly children: ReactNode;
}

/** One of the notes above a run's picture. */
function RunNote({ tone, icon: Icon, title, role, link, children }: RunNoteProps) {
  return (
    <div role={role} className={styles.note} data-tone={tone}>
      <Icon size={18} aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <strong className={styles.title}>{title}</strong>
        {children}
      </div>
      {link && (
        <button type="button" className={styles.link} onClick={link.onFollow}>
          {link.label}
        </button>
      )}
    </div>
  );
}
