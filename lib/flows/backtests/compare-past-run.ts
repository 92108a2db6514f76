import type { BacktestSide, ComparedRun, ShownBacktestRun } from "#lib/contract/flows/backtests.ts";
import { jsonCharacters } from "#lib/engine/json.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { isUnavailable } from "#lib/platform/database.ts";
import { errorFields, logLine } from "#lib/platform/log.ts";
import { type ComparedCall, type Comparison, compareRun } from "#lib/replay/backtest.ts";
import { cut } from "#lib/replay/comparison/compare.ts";
import type { Replayable } from "#lib/replay/prepare.ts";
import type { Replayed } from "#lib/replay/replay.ts";
import type { ReplayedNode } from "#lib/replay/replayed-nodes.ts";
import { type ReadRun, readPastRun } from "./past-run.ts";

/** The time limit for both replays of a run together. */
const oneRunMs = 10_000;

/** A comparison's target, owner and signal. */
export interface Compared {
  readonly workspaceId: string;
  readonly flowName: string;
  readonly target: Replayable;
}

/**
 * A run and its comparison, or why there is none. `reading`: the run, if it is already being read. Rejects if aborted,
 * or if the database is unavailable.
 */
export async function comparePastRun(
  { workspaceId, flowName, target }: Compared,
  executionId: string,
  stop?: AbortSignal,
  reading: Promise<ReadRun> = readPastRun(workspaceId, executionId),
): Promise<Comparison | { readonly reason: string }> {
  const late = AbortSignal.timeout(oneRunMs);
  try {
    const read = await reading;
    if ("reason" in read) return read;
    const signal = stop === undefined ? late : AbortSignal.any([late, stop]);
    const context = { flowName, sandbox: runSignals().sandbox(), owner: workspaceId, signal };
    return await compareRun(read.version, target, read.run, context);
  } catch (error) {
    if (stop?.aborted || isUnavailable(error)) throw error;
    if (late.aborted) return { reason: `It takes longer than ${oneRunMs / 1_000} seconds to compare` };
    logLine("error", "A run could not be compared", { executionId, ...errorFields(error) });
    return { reason: "It cannot be compared: the server's log says why" };
  }
}

const callsMax = 40;
/** The total size of the values in one run's calls. */
const callsCharactersMax = 20_000;
const callCharactersMax = 4_000;

/** The part of a comparison that is stored and listed. */
export type StoredResult = Omit<ShownBacktestRun, "executionId" | "startedAt" | "verdict">;

export function resultOf(compared: Comparison | { readonly reason: string }): StoredResult {
  if (!("verdict" in compared)) return { first: null, calls: [], reason: compared.reason };
  const { first, calls, reason } = compared;
  let left = callsCharactersMax;
  const shown = (value: unknown) => {
    const charactersMax = Math.min(callCharactersMax, left);
    const short = cut(value, charactersMax);
    left = Math.max(0, left - jsonCharacters(short, charactersMax));
    return short;
  };
  const shownCalls = calls.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, callsMax);
  return {
    first: first === null ? null : { ...first },
    calls: shownCalls.map(({ nodeId, change, before, after }) => {
      const isSame = change === "same";
      return { nodeId, change, before: isSame ? null : shown(before), after: isSame ? null : shown(after) };
    }),
    reason,
  };
}

function rankOf({ change }: ComparedCall): number {
  return change === "same" ? 1 : 0;
}

const sideCharactersMax = 20_000;
const sidesCharactersMax = 2_000_000;

/** Both outcomes of a run, node by node. */
export function sidesOf({ before, after }: Comparison): Pick<ComparedRun, "before" | "after" | "nodes"> {
  let left = sidesCharactersMax;
  const shown = (value: unknown) => {
    const charactersMax = Math.min(sideCharactersMax, left);
    const short = cut(value, charactersMax);
    left = Math.max(0, left - jsonCharacters(short, charactersMax));
    return short;
  };
  const sideOf = (node: ReplayedNode | undefined): BacktestSide | null => {
    if (node === undefined) return null;
    const { status, output, request, error, isOpen } = node;
    return {
      status: isOpen ? "unknown" : status,
      output: isOpen ? null : shown(output),
      request: shown(request),
      error: error === null ? null : { code: error.code, message: error.message },
    };
  };
  const result = ({ isOpen, status, output }: Replayed) => ({
    status: isOpen ? ("unknown" as const) : status,
    output: isOpen ? null : shown(output),
  });
  const ids = new Set([...after.nodes.keys(), ...before.nodes.keys()]);
  return {
    before: result(before),
    after: result(after),
    nodes: [...ids].map((nodeId) => ({
      nodeId,
      before: sideOf(before.nodes.get(nodeId)),
      after: sideOf(after.nodes.get(nodeId)),
    })),
  };
}
