import type { Claim } from "./claim-runs.ts";

/** What part of all places is kept from each flow, and from each workspace: whose runs take long leaves room for others. */
const keptFrom = { flow: 1 / 10, workspace: 1 / 20 } as const;

type PlacedRun = Pick<Claim["run"], "flowId" | "workspaceId">;

/** The places for background runs in this process: which flows and workspaces have them, and which flow's turn it is. */
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

  /** How many to claim: half of all at most, so that one half is done while the other is claimed or stored. */
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

  /** Takes a place for each; tells whether there may be more runs for the places that are left. */
  take(claims: readonly Claim[], asked: number): boolean {
    const flowIds = claims.map(({ run }) => run.flowId);
    for (const { run } of claims) this.#add(run, 1);
    this.#free -= claims.length;
    const isStart = this.#afterFlowId === "";
    const isFull = claims.length === asked;
    this.#afterFlowId = isFull ? (flowIds.toSorted().at(-1) ?? "") : "";
    // Several flows get equal shares, which some may not fill; and before the flow whose turn it was are others.
    return isFull || !isStart || new Set(flowIds).size > 1;
  }

  giveBack(run: PlacedRun): void {
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
