"use client";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Api, useApi } from "#components/api/use-api.ts";
import { isLive } from "#components/status/run-status.tsx";
import { ApiError } from "#lib/contract/client.ts";
import type { ShownExecution } from "#lib/contract/executions/executions.ts";
import type { ShownLogEntry } from "#lib/contract/executions/logs.ts";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import { isJsonObject } from "#lib/engine/json.ts";
import { runQueries } from "./run-queries.ts";
import { noteStreamedText, type TextEvent } from "./streamed-texts.ts";

/** A change in a run: the run itself, one of its nodes, or a log entry. */
export type RunEvent =
  Exclude<StreamEvent, { event: "text" }> extends infer Event
    ? Event extends unknown
      ? Omit<Event, "id">
      : never
    : never;

const eventNames = ["execution", "node", "log"] as const;
const pollMs = 2_000;

/**
 * Reports a run's changes until it ends, without inputs and outputs, starting with its current state and log. The
 * browser reconnects by itself. If streams are blocked, as by some proxies, polls every two seconds. Keeps the text
 * that models stream for `StreamedText`. Returns a function that stops it.
 */
export function followRun(api: Api, id: string, tell: (event: RunEvent) => void): () => void {
  const url = api.url("streamExecution", { params: { id }, query: { includeItemCounts: true, includeText: true } });
  const source = new EventSource(url);
  let stopPolling: (() => void) | undefined;
  const onEvent = ({ type, data }: MessageEvent<string>) => {
    const event = { event: type, data: JSON.parse(data) } as RunEvent;
    if (event.event === "execution" && !isLive(event.data.status)) source.close();
    tell(event);
  };
  for (const name of eventNames) source.addEventListener(name, onEvent);
  source.addEventListener("text", ({ data }: MessageEvent<string>) =>
    noteStreamedText(id, JSON.parse(data) as TextEvent),
  );
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) stopPolling ??= pollRun(api, id, tell);
  });
  return () => {
    source.close();
    stopPolling?.();
  };
}

function pollRun(api: Api, id: string, tell: (event: RunEvent) => void): () => void {
  const seenNodes = new Set<string>();
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    const run = await readRun(api, id, stop.signal);
    if (stop.signal.aborted || run === "gone") return;
    if (run !== "away") reportRun(run, seenNodes, tell);
    if (run === "away" || isLive(run.status)) timer = setTimeout(look, pollMs);
  };
  void look();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

async function readRun(api: Api, id: string, signal: AbortSignal): Promise<ShownExecution | "away" | "gone"> {
  const query = { includeLogs: true };
  try {
    return await api.call("readExecution", { params: { id }, query, signal });
  } catch (error) {
    // A refusal is final; a network or server failure is temporary.
    return error instanceof ApiError && error.status < 500 && error.status !== 429 ? "gone" : "away";
  }
}

/** The log first, as in the stream: a run's end is reported last. */
function reportRun({ logs = [], ...run }: ShownExecution, sent: Set<string>, report: (event: RunEvent) => void): void {
  for (const data of logs.filter((entry) => !sent.has(entry.id))) {
    sent.add(data.id);
    report({ event: "log", data });
  }
  report({ event: "execution", data: run });
}

/** Whether a log entry says that a node starts or stops waiting. Only the full run says for what. */
export function isAboutWaiting({ data }: ShownLogEntry): boolean {
  return isJsonObject(data) && (data.event === "waiting" || data.event === "woken");
}

/** The shown run with the waits of a later read. Takes nothing else from that read, which may be stale. */
export function withWaitingOf<Run extends Pick<ShownExecution, "nodes">>(
  shown: Run,
  read: ShownExecution,
): Run & Waits {
  const waiting = new Map(read.nodes.map((node) => [node.nodeId, waitOf(node)]));
  const nodes = shown.nodes.map((node) => ({
    ...node,
    ...(node.status === "running" ? (waiting.get(node.nodeId) ?? waitOf({})) : waitOf({})),
  }));
  return { ...shown, nodes, ...waitOf(read) };
}

type Waits = Pick<ShownExecution, "waitingFor" | "waitingUntil">;

const waitOf = ({ waitingFor, waitingUntil }: Waits) => ({ waitingFor, waitingUntil });

/** Applies an event to the displayed run. Ignores log entries that it already has. */
export function applyRunEvent(run: ShownExecution | undefined, event: RunEvent): ShownExecution | undefined {
  if (event.event === "execution") return { ...event.data, logs: run?.logs ?? [] } as ShownExecution;
  if (run === undefined) return undefined;
  if (event.event === "log") return { ...run, logs: withEntry(run.logs ?? [], event.data) };
  const { data } = event;
  return { ...run, nodes: run.nodes.map((node) => (node.nodeId === data.nodeId ? data : node)) };
}

function withEntry(logs: readonly ShownLogEntry[], entry: ShownLogEntry): ShownLogEntry[] {
  return logs.some(({ id }) => id === entry.id) ? [...logs] : [...logs, entry];
}

/**
 * Updates the cached run from its events until the returned function is called. Drops a read that began before the
 * latest event: it is stale, however late its response.
 */
export function keepCurrent(queries: QueryClient, api: Api, id: string): () => void {
  const { queryKey } = runQueries.one(api, id);
  let reading = new AbortController();
  const readWaiting = async () => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const read = await api.call("readExecution", { params: { id }, query: {}, signal }).catch(() => null);
    if (read === null || signal.aborted) return;
    queries.setQueryData<ShownExecution>(queryKey, (known) => known && withWaitingOf(known, read));
  };
  const stop = followRun(api, id, (event) => {
    void queries.cancelQueries({ queryKey, exact: true }, { revert: false });
    queries.setQueryData<ShownExecution>(queryKey, (known) => applyRunEvent(known, event));
    // The log is sorted by time.
    if (event.event === "execution" && !isLive(event.data.status)) void queries.invalidateQueries({ queryKey });
    if (event.event === "log" && isAboutWaiting(event.data)) void readWaiting();
    // A node's inputs and outputs are separate queries.
    if (event.event === "node") void queries.invalidateQueries({ queryKey: ["runs", "node", id, event.data.nodeId] });
  });
  return () => {
    stop();
    reading.abort();
  };
}

/** A run with its log, updated live while it is in progress. */
export function useRun(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const run = useQuery(runQueries.one(api, id));
  const live = run.data !== undefined && isLive(run.data.status);
  useEffect(() => (live ? keepCurrent(queries, api, id) : undefined), [api, id, live, queries]);
  return run;
}
