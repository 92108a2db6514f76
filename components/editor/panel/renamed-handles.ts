/** Old names of handles by new ones: where as many are there as before, the one that is new took the place of the one that is gone. */
export function renamedHandles(before: readonly string[], after: readonly string[]): ReadonlyMap<string, string> {
  if (before.length !== after.length) return new Map();
  const gone = before.filter((handle) => !after.includes(handle));
  const added = after.filter((handle) => !before.includes(handle));
  const [from] = gone;
  const [to] = added;
  return gone.length === 1 && from !== undefined && to !== undefined ? new Map([[from, to]]) : new Map();
}
