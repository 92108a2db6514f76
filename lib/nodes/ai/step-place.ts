/** The position of a step in a node that takes steps. */
export interface StepPlace {
  /** From 0. */
  readonly index: number;
  /** What the node started with. */
  readonly item: unknown;
  /** The results of the steps before it. */
  readonly earlier: readonly unknown[];
}
