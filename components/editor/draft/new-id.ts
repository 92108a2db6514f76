/** An id that is not taken: `http-request`, `http-request-2`, … */
export function newId(wanted: string, taken: ReadonlySet<string> | ReadonlyMap<string, unknown>): string {
  const stem = wanted.replace(/-\d+$/, "") || "node";
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? stem : `${stem}-${count}`;
    if (!taken.has(id)) return id;
  }
}

/** A name that is not taken: "Log", "Log 2", … */
export function newName(wanted: string, taken: ReadonlySet<string>): string {
  const stem = wanted.replace(/ \d+$/, "") || "Node";
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? stem : `${stem} ${count}`;
    if (!taken.has(name)) return name;
  }
}
