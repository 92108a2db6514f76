import { Skeleton } from "@mantine/core";
import { type Icon, IconAlertTriangle, IconBan, IconCircleX, IconClockX, IconHandClick } from "@tabler/icons-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useAccess } from "#components/api/use-api.ts";
import { FailureMessage, readNodeError } from "#components/executions/node-error.tsx";
import { isInLoop, useRunWaits, waitKey, waitTitle } from "#components/executions/waiting/run-waits.ts";
import { useNodeType } from "#components/flows/flow-queries.ts";
import { Link } from "#components/page/link.tsx";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import { withFieldTitles } from "#lib/engine/issue-message.ts";
import styles from "./run-notes.module.css";

// Only a waiting run needs a form's fields.
const WaitCard = lazy(() => import("#components/executions/waiting/wait-card.tsx"));

interface RunNotesProps {
  readonly run: ShownExecution;
  readonly onSelect: (nodeId: string) => void;
  /** The flow was deleted. */
  readonly isGone: boolean;
}

/** A loop may show a form per item: displays at most this many, the longest-waiting first. */
const shownWaitsMax = 5;

/** Notes above the run: why it failed or was cancelled, what it waits for, and its warnings. */
export function RunNotes({ run, onSelect, isGone }: RunNotesProps) {
  const waits = useRunWaits(run).filter(({ state }) => state === "open");
  const more = waits.length - shownWaitsMax;
  return (
    <>
      {run.error !== undefined && <FailureNote run={run} error={run.error} onSelect={onSelect} isGone={isGone} />}
      {run.status === "cancelled" && run.reason && (
        <RunNote tone="cancelled" icon={IconBan} title="Cancelled">
          <p>{run.reason}</p>
        </RunNote>
      )}
      {waits.slice(0, shownWaitsMax).map((wait) => (
        <RunNote
          key={waitKey(wait)}
          tone="running"
          icon={IconHandClick}
          title={waitTitle(wait, run)}
          // The canvas shows no nodes of a loop's body.
          links={!isInLoop(wait, run) && <NoteLink label="Show the node" onFollow={() => onSelect(wait.nodeId)} />}
        >
          <Suspense fallback={<Skeleton height={80} radius="md" />}>
            <WaitCard runId={run.id} wait={wait} />
          </Suspense>
        </RunNote>
      ))}
      {more > 0 && (
        <RunNote
          tone="running"
          icon={IconHandClick}
          title={more === 1 ? "1 more is waiting" : `${more} more are waiting`}
        >
          <p>They appear here as these are answered.</p>
        </RunNote>
      )}
      <Warnings run={run} onSelect={onSelect} />
    </>
  );
}

interface FailureNoteProps extends RunNotesProps {
  readonly error: NonNullable<ShownExecution["error"]>;
}

function FailureNote({ run, error, onSelect, isGone }: FailureNoteProps) {
  const refusal = useAccess().refusal("flows:write");
  const failed = run.nodes.find((node) => node.nodeId === error.nodeId);
  const schema = useNodeType(failed?.type)?.configSchema;
  const nodeError = readNodeError(failed?.error, schema);
  const isTimeout = run.status === "timeout";
  const hint = isTimeout
    ? "See below where the time went. Change the time limit in the flow's settings."
    : nodeError?.hint;
  return (
    <RunNote
      role="alert"
      tone={isTimeout ? "timeout" : "failed"}
      icon={isTimeout ? IconClockX : IconCircleX}
      title={
        failed
          ? [<bdi key="name">{failed.nodeName}</bdi>, " failed"]
          : isTimeout
            ? "The run timed out"
            : "The run failed"
      }
      links={
        <>
          {failed !== undefined && <NoteLink label="Show the error" onFollow={() => onSelect(failed.nodeId)} />}
          {!isGone && refusal === null && (
            <Link href={editorAddress(run, failed?.nodeId)} className={styles.link}>
              Fix in editor
            </Link>
          )}
        </>
      }
    >
      <p>
        <FailureMessage message={withFieldTitles(error.message, schema)} expression={nodeError?.expression ?? null} />
      </p>
      {hint && <p className={styles.hint}>{hint}</p>}
    </RunNote>
  );
}

/** All warnings in one note, so that ten attempts of a node do not push the run off the screen. */
function Warnings({ run: { nodes, warnings }, onSelect }: Pick<RunNotesProps, "run" | "onSelect">) {
  if (warnings.length === 0) return null;
  return (
    <RunNote
      tone="timeout"
      icon={IconAlertTriangle}
      title={warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`}
    >
      <ul className={styles.warnings}>
        {warnings.map(({ timestamp, nodeId, message }) => (
          <li key={`${timestamp}${nodeId}${message}`}>
            <span>{message}</span>
            {nodeId !== null && nodes.some((node) => node.nodeId === nodeId) && (
              <NoteLink label="Show the node" onFollow={() => onSelect(nodeId)} />
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
  readonly title: ReactNode;
  readonly role?: "alert";
  readonly links?: ReactNode;
  readonly children: ReactNode;
}

/** One of the notes above a run's picture. */
export function RunNote({ tone, icon: Icon, title, role, links, children }: RunNoteProps) {
  return (
    <div role={role} className={styles.note} data-tone={tone}>
      <Icon size={18} aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <strong className={styles.title}>{title}</strong>
        {children}
      </div>
      {links && <div className={styles.links}>{links}</div>}
    </div>
  );
}

function NoteLink({ label, onFollow }: { readonly label: string; readonly onFollow: () => void }) {
  return (
    <button type="button" className={styles.link} onClick={onFollow}>
      {label}
    </button>
  );
}

/** The editor's URL for a run's flow, with the run's data; `nodeId`: the node to open. */
function editorAddress({ id, flowId }: Pick<ShownExecution, "id" | "flowId">, nodeId?: string): string {
  const query = new URLSearchParams({ ...(nodeId !== undefined && { node: nodeId }), run: id });
  return `/flows/${flowId}?${query}`;
}
