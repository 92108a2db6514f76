/** Where a step stands in a node that takes steps. */
export interface StepPlace {
  /** From 0. */
  readonly index: number;
  /** What the node began with. */
  readonly item: unknown;
  /** What the steps before it came to. */
  readonly earlier: readonly unknown[];
}
