import type { Claim } from "./claim-runs.ts";

/** The share of all slots that no single flow or workspace can take, so that long runs leave room for others. */
const keptFrom = { flow: 1 / 10, workspace: 1 / 20 } as const;

type PlacedRun = Pick<Claim["run"], "flowId" | "workspaceId">;

/** This process's slots for background runs: which flows and workspaces hold them, and which flow is next. */
export class RunSlots {
  readonly #count: number;
  readonly #claimMax: number;
  readonly #flowRuns = new Map<string, number>();
  readonly #workspaceRuns = new Map<string, number>();
  #free: number;
  #afterFlowId = "";

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
    this.#claimMax = Math.ceil(count / 2);
  }

  get free(): number {
    return this.#free;
  }

  /** How many to claim: at most half of all slots, so that one half runs while the other is claimed or stored. */
  get nextClaim(): number {
    return Math.min(this.#free, this.#claimMax);
  }

  get turn() {
    return {
      afterFlowId: this.#afterFlowId,
      flowRunsMax: this.#count - Math.floor(this.#count * keptFrom.flow),
      flowRuns: Object.fromEntries(this.#flowRuns),
      workspaceRunsMax: this.#count - Math.floor(this.#count * keptFrom.workspace),
      workspaceRuns: Object.fromEntries(this.#workspaceRuns),
    };
  }

  /** Takes a slot for each; returns whether there may be more runs for the remaining slots. */
  take(claims: readonly Claim[], requested: number): boolean {
    const flowIds = claims.map(({ run }) => run.flowId);
    for (const { run } of claims) this.#add(run, 1);
    this.#free -= claims.length;
    const isStart = this.#afterFlowId === "";
    const isFull = claims.length === requested;
    this.#afterFlowId = isFull ? (flowIds.toSorted().at(-1) ?? "") : "";
    // Several flows get equal shares, which some may not fill; and flows before the first one were not visited.
    return isFull || !isStart || new Set(flowIds).size > 1;
  }

  release(run: PlacedRun): void {
    this.#add(run, -1);
    this.#free += 1;
  }

  #add({ flowId, workspaceId }: PlacedRun, change: number): void {
    for (const [runs, id] of [
      [this.#flowRuns, flowId],
      [this.#workspaceRuns, workspaceId],
    ] as const) {
      const count = (runs.get(id) ?? 0) + change;
      if (count > 0) runs.set(id, count);
      else runs.delete(id);
    }
  }
}
