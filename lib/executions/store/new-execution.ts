import type { executionSources } from "#lib/contract/executions/executions.ts";
import type { FlowSettings } from "#lib/engine/flow.ts";
import type { RunLimit } from "#lib/executions/nodes/run-limit.ts";
import type { TriggerData, TriggerText } from "#lib/executions/run.ts";
import { draftSource, shownSource } from "#lib/executions/search/execution-filter.ts";
import { jsonBytes } from "#lib/json/json-bytes.ts";
import { knownText, rememberText } from "#lib/json/known-text.ts";
import { keptOutput } from "#lib/json/large-output.ts";
import { writeJsonInTurns } from "#lib/json/write-json.ts";
import { isoNow } from "#lib/platform/clock.ts";
import { newId } from "#lib/platform/ids.ts";
import { nextTurn } from "#lib/platform/turns.ts";
import type { NewExecution } from "./run-row.ts";

/** Milliseconds that a run may work unless its flow overrides it. */
export const timeoutMsDefault = 300_000;

export type ExecutionSource = (typeof executionSources)[number];
/** The source as stored: runs of working copies, and the sub-flows that they start, have their own. */
export type StoredSource = ExecutionSource | "draft" | "draft-sub-flow";

/** What a run needs of its flow. */
export interface StartedFlow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly version: number;
  /** JSON text; null for none. */
  readonly settings: string | null;
  /** The version of its row, if cached; compared when the run is stored. */
  readonly row?: string;
  /** True for a working copy: the version is then its revision, below zero. */
  readonly isDraft?: boolean;
}

export interface StartRequest {
  /** For a run that must start once, however often it is requested; by default, a new id. */
  readonly id?: string;
  readonly triggerType: string;
  readonly trigger: TriggerText;
  readonly source: StoredSource;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** The client's metadata; the service's own fields win. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The process that runs it at once; null: a worker will. */
  readonly leaseOwner: string | null;
  /** For a flow that limits its runs: the run is left to a worker. */
  readonly limit?: RunLimit | null;
  readonly originalExecutionId?: string;
  readonly fromNode?: string | null;
}

/** The limit for a body. Only decides which large value is written first. */
const largestBytes = 1_048_576;

/** Smaller triggers are written with the rest of the record. */
const smallBytes = 65_536;

/** A trigger with its JSON. A large one is serialized without blocking the event loop, and kept as that. */
export async function triggerText(trigger: TriggerData): Promise<TriggerText> {
  const { body, ...others } = trigger;
  const known = knownText(body);
  if (known === undefined) {
    if (jsonBytes(trigger, smallBytes) <= smallBytes) return triggerTextOf(trigger);
    await nextTurn();
  }
  const write = (value: unknown) => writeJsonInTurns(value, largestBytes, Number.POSITIVE_INFINITY);
  if (typeof body !== "object" || body === null) return triggerTextOf(trigger, await write(trigger));
  const text = known ?? (await write(body));
  // The first node that passes the body on needs its text too.
  rememberText(body, text);
  return triggerTextOf(trigger, `{"body":${text},${(await write(others)).slice(1)}`);
}

/** The same at once, for a small trigger or one whose JSON is known. */
export function triggerTextOf(value: TriggerData, json = JSON.stringify(value)): TriggerText {
  return keptOutput({ value, json }) as TriggerText;
}

/** The record of a new run. */
export function newExecution(flow: StartedFlow, request: StartRequest): NewExecution {
  const { ip, userAgent, metadata = {}, leaseOwner } = request;
  const source = flow.isDraft === true ? draftSource : request.source;
  const settings = flow.settings === null ? {} : (JSON.parse(flow.settings) as FlowSettings);
  return {
    id: request.id ?? newId("execution"),
    workspaceId: flow.workspaceId,
    flowId: flow.id,
    flowName: flow.name,
    flowVersion: flow.version,
    status: leaseOwner === null ? "pending" : "running",
    triggerType: request.triggerType,
    trigger: request.trigger.json,
    source,
    metadata: JSON.stringify({ ...metadata, source: shownSource(source), ip, userAgent }),
    startedAt: isoNow(),
    timeoutMs: settings.timeoutMs ?? timeoutMsDefault,
    originalExecutionId: request.originalExecutionId ?? null,
    fromNode: request.fromNode ?? null,
    leaseOwner,
    limit: request.limit ?? null,
    flowRow: flow.row ?? null,
  };
}
