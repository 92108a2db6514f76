/** A run that has a place under a limit. */
export interface Holder {
  readonly id: string;
  readonly key: string;
}

/** A run that waits for a place under `key`; `holder` waits, itself or through others, for it to end. */
export interface AwaitedRun {
  readonly id: string;
  readonly key: string;
  /** How many places there are under the key. */
  readonly most: number;
  readonly holder: string;
}

/**
 * The runs that wait for a place which can never become free: all who hold one wait for such runs. A flow that runs
 * itself under a limit of 1 is the least of these circles; it may lead through several runs, keys and flows. `holders`
 * are all of each key. Who waits for one run that is stuck is stuck, whatever else goes on in it.
 */
export function stuckRuns(holders: readonly Holder[], awaited: readonly AwaitedRun[]): string[] {
  const taken = Map.groupBy(holders, ({ key }) => key);
  // All are suspected; whoever turns out to be let in some day clears those who wait for nobody else.
  let suspects = new Set(awaited.map(({ holder }) => holder));
  for (;;) {
    const free = new Set(holders.filter(({ id }) => !suspects.has(id)).map(({ key }) => key));
    const stuck = awaited.filter(
      ({ key, most, holder }) => suspects.has(holder) && !free.has(key) && (taken.get(key)?.length ?? 0) >= most,
    );
    const still = new Set(stuck.map(({ holder }) => holder));
    if (still.size === suspects.size) return [...new Set(stuck.map(({ id }) => id))];
    suspects = still;
  }
}
