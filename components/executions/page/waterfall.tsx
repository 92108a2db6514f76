"use client";
import { useQuery } from "@tanstack/react-query";
import type { PointerEvent, ReactNode } from "react";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "#components/flows/flow-queries.ts";
import { StatusLabel, statusFace } from "#components/status/run-status.tsx";
import { formatDuration } from "#components/time/duration.ts";
import { useNow } from "#components/time/relative-time.tsx";
import type { ShownExecution, ShownNodeExecution } from "#lib/contract/executions/executions.ts";
import styles from "./waterfall.module.css";
import { axisOf, barsOf, type Part, type PartKind } from "./waterfall-bars.ts";

/** Names of the kinds of time. */
const partWords: Record<PartKind, string> = {
  queue: "In the queue",
  run: "Running",
  wait: "Waiting",
  pause: "Waiting to retry",
};

/** The parts of a bar; hovering shows what each is and how long it took. */
function WaterfallTrack({ parts }: { readonly parts: readonly Part[] }) {
  const tries = parts.filter(({ kind }) => kind === "run").length;
  return (
    <span className={styles.track}>
      {parts.map(({ kind, left, width, durationMs, attempt }) => (
        <span
          key={`${kind} ${attempt ?? 0}`}
          className={styles.bar}
          data-kind={kind}
          data-missed={(kind === "run" && attempt !== undefined && attempt < tries) || undefined}
          title={`${kind === "run" && attempt !== undefined ? `Attempt ${attempt}` : partWords[kind]}: ${formatDuration(durationMs)}`}
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </span>
  );
}

const order = ["queue", "run", "wait", "pause"] as const;

/** A legend for the bars; nothing if they are all of one kind. */
function WaterfallLegend({ kinds }: { readonly kinds: ReadonlySet<PartKind> }) {
  if (!kinds.has("wait") && !kinds.has("pause")) return null;
  return (
    <ul className={styles.legend} aria-hidden="true">
      {order
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <span className={styles.bar} data-kind={kind} />
            {partWords[kind]}
          </li>
        ))}
    </ul>
  );
}

interface WaterfallProps {
  readonly run: ShownExecution;
  readonly live: boolean;
  /** The shown moment: its time in Unix milliseconds, and the nodes at that time. */
  readonly moment: { readonly atMs: number; readonly nodes: readonly ShownNodeExecution[] } | null;
  /** Shows another moment. */
  readonly onSeek: (ms: number) => void;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
}

/** A run over time: how long it was queued, and when each node started, ran, waited and was retried. */
export function Waterfall({ run, live, moment, onSeek, selectedId, onSelect }: WaterfallProps) {
  const now = useNow(live ? 250 : 60_000);
  const types = useQuery(flowQueries.nodeTypes(useApi()));
  const waits = new Set(types.data?.filter(({ effect }) => effect === "wait").map(({ type }) => type));
  const { queue, bars, rest, startMs, spanMs } = barsOf(run, live ? now : null, waits);
  const then = new Map(moment?.nodes.map(({ nodeId, status }) => [nodeId, status]));
  const kinds = new Set([...(queue === null ? [] : [queue]), ...bars.flatMap(({ parts }) => parts)].map((p) => p.kind));
  const row = (node: ShownNodeExecution, children: ReactNode) => (
    <Row
      key={node.nodeId}
      node={node}
      status={then.get(node.nodeId) ?? node.status}
      selected={selectedId === node.nodeId}
      onSelect={onSelect}
    >
      {children}
    </Row>
  );
  return (
    <div className={styles.waterfall}>
      <Axis spanMs={spanMs} onSeek={(part) => onSeek(startMs + part * spanMs)} />
      {moment !== null && <Cursor part={Math.min(1, Math.max(0, (moment.atMs - startMs) / spanMs))} />}
      {queue !== null && (
        <div className={styles.row} data-queue>
          <span className={styles.icon} />
          <span className={styles.name}>In the queue</span>
          <WaterfallTrack parts={[queue]} />
          <span className={styles.duration}>{formatDuration(queue.durationMs)}</span>
        </div>
      )}
      <ol className={styles.rows}>
        {bars.map(({ node, parts, durationMs }) =>
          row(
            node,
            <>
              <WaterfallTrack parts={parts} />
              <span className={styles.duration}>
                {node.disabled ? <StatusLabel of={node} /> : formatDuration(durationMs)}
              </span>
            </>,
          ),
        )}
        {rest.map((node) =>
          row(
            node,
            <>
              <WaterfallTrack parts={[]} />
              <span className={styles.duration}>
                <StatusLabel of={node} />
              </span>
            </>,
          ),
        )}
      </ol>
      <WaterfallLegend kinds={kinds} />
    </div>
  );
}

/** The time axis: press or drag to go to a moment. The slider does the same by keyboard. */
function Axis({ spanMs, onSeek }: { readonly spanMs: number; readonly onSeek: (part: number) => void }) {
  const seek = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onSeek(Math.min(1, Math.max(0, (clientX - left) / width)));
  };
  return (
    <div
      className={styles.axis}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event);
      }}
    >
      {axisOf(spanMs).map(({ part, label }) => (
        <span key={part} style={{ left: `${part * 100}%` }}>
          {label}
        </span>
      ))}
    </div>
  );
}

/** The shown moment, across all bars; later parts are faded. */
function Cursor({ part }: { readonly part: number }) {
  return (
    <div className={styles.cursorArea} aria-hidden="true" data-cursor={part.toFixed(4)}>
      <span className={styles.ahead} style={{ left: `${part * 100}%` }} />
    </div>
  );
}

interface RowProps {
  readonly node: ShownNodeExecution;
  /** At the moment that is shown. */
  readonly status: ShownNodeExecution["status"];
  readonly selected: boolean;
  readonly onSelect: (id: string) => void;
  readonly children: ReactNode;
}

function Row({ node, status, selected, onSelect, children }: RowProps) {
  const { label, icon: Icon, tone = status } = statusFace({ ...node, status });
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        data-status={tone}
        aria-pressed={selected}
        onClick={() => onSelect(node.nodeId)}
      >
        <Icon size={16} stroke={2} aria-label={label} className={styles.icon} />
        <span className={styles.name} dir="auto">
          {node.nodeName}
        </span>
        {children}
      </button>
    </li>
  );
}
