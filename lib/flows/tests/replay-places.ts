import { AppError } from "#lib/errors.ts";
import { runSignals } from "#lib/executions/live/run-signals.ts";
import { type CompiledVersion, loadVersion } from "#lib/executions/nodes/compiled-version.ts";
import { database } from "#lib/platform/database.ts";
import { isId } from "#lib/platform/ids.ts";
import { singleton } from "#lib/platform/singleton.ts";
import { type Replayed, type ReplayInput, replay } from "#lib/replay/replay.ts";
import type { FindFlow } from "#lib/replay/sub-flow.ts";

/** Concurrent replays per process: each holds the outputs of a whole run. A workspace has one at a time. */
const atOnceMax = 3;
/** Requests of a workspace that may wait. */
const waitingMax = 20;

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

/**
 * Requests wait while all places are taken; workspaces take turns, so nobody waits behind another workspace's second
 * request.
 */
class ReplayPlaces {
  readonly #busy = new Set<string>();
  readonly #waiting: Waiting[] = [];

  /** Throws SERVICE_UNAVAILABLE if too many of the workspace's requests already wait. */
  async take<T>(owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.filter((other) => other.owner === owner).length >= waitingMax) {
      throw new AppError("SERVICE_UNAVAILABLE", "Too many tests of this workspace wait for their turn", {
        retryAfterSeconds: 5,
      });
    }
    await new Promise<void>((begin) => {
      this.#waiting.push({ owner, begin });
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#busy.delete(owner);
      this.#admit();
    }
  }

  #admit(): void {
    while (this.#busy.size < atOnceMax) {
      const next = this.#waiting.findIndex(({ owner }) => !this.#busy.has(owner));
      const [admitted] = next === -1 ? [] : this.#waiting.splice(next, 1);
      if (admitted === undefined) return;
      this.#busy.add(admitted.owner);
      admitted.begin();
    }
  }
}

export const replayPlaces = () => singleton("replay-places", () => new ReplayPlaces());

/** Finds a workspace's published flows, as sub-flow nodes do. Reads each once. */
export function findSubFlow(workspaceId: string): FindFlow {
  const known = new Map<string, ReturnType<FindFlow>>();
  const find = async (flowId: string) => {
    if (!isId("flow", flowId)) return null;
    const row = await database().flow.findFirst({ where: { id: flowId, workspaceId } });
    const flow = row === null ? null : await loadVersion(row.id, row.version);
    return row === null || flow === null ? null : { name: row.name, flow };
  };
  return (flowId) => {
    const found = known.get(flowId) ?? find(flowId);
    known.set(flowId, found);
    return found;
  };
}

interface OneReplay {
  readonly owner: string;
  readonly flow: { readonly id: string; readonly name: string };
  readonly version: CompiledVersion;
  readonly input: ReplayInput;
  readonly msMax: number;
}

/** Replays one run in its turn. Throws what `refuse` makes of a reason if it takes too long or reads what is not recorded. */
export async function replayInTurn(
  { owner, flow, version, input, msMax }: OneReplay,
  refuse: (message: string) => AppError,
): Promise<Replayed> {
  const context = { owner, flowName: flow.name, flowId: flow.id, sandbox: runSignals().sandbox() };
  const replayed = await replayPlaces().take(owner, async () => {
    const signal = AbortSignal.timeout(msMax);
    return await replay(version, input, { ...context, findFlow: findSubFlow(owner), signal }).catch(
      (error: unknown) => {
        if (signal.aborted) throw refuse(`it takes longer than ${msMax / 1_000} seconds to replay`);
        throw error;
      },
    );
  });
  const [missing] = replayed.notRecorded;
  if (missing !== undefined) throw refuse(`nothing is recorded of "${missing}"`);
  return replayed;
}
