import type { Claim } from "./claim-runs.ts";

/** From this many places on, a tenth is kept from each flow: one whose runs take long leaves room for all others. */
const sharedFrom = 10;

/** The places for background runs in this process: who has them, and which flow's turn it is. */
export class RunPlaces {
  readonly #flowRunsMax: number;
  readonly #claimMax: number;
  readonly #flowRuns = new Map<string, number>();
  #free: number;
  #afterFlowId = "";

  constructor(count: number) {
    this.#free = count;
    this.#claimMax = Math.ceil(count / 2);
    this.#flowRunsMax = count < sharedFrom ? count : count - Math.floor(count / sharedFrom);
  }

  get free(): number {
    return this.#free;
  }

  /** How many to claim: half of all at most, so that one half is done while the other is claimed or stored. */
  get nextClaim(): number {
    return Math.min(this.#free, this.#claimMax);
  }

  get turn() {
    const flowRuns = Object.fromEntries(this.#flowRuns);
    return { afterFlowId: this.#afterFlowId, flowRunsMax: this.#flowRunsMax, flowRuns };
  }

  /** Takes a place for each; tells whether there may be more runs for the places that are left. */
  take(claims: readonly Claim[], asked: number): boolean {
    const flowIds = claims.map(({ run }) => run.flowId);
    for (const id of flowIds) this.#flowRuns.set(id, (this.#flowRuns.get(id) ?? 0) + 1);
    this.#free -= claims.length;
    const isStart = this.#afterFlowId === "";
    const isFull = claims.length === asked;
    this.#afterFlowId = isFull ? (flowIds.toSorted().at(-1) ?? "") : "";
    // Several flows get equal shares, which some may not fill; and before the flow whose turn it was are others.
    return isFull || !isStart || new Set(flowIds).size > 1;
  }

  giveBack(flowId: string): void {
    const left = (this.#flowRuns.get(flowId) ?? 1) - 1;
    if (left > 0) this.#flowRuns.set(flowId, left);
    else this.#flowRuns.delete(flowId);
    this.#free += 1;
  }
}
