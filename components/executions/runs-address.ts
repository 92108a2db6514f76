/** Which runs a figure counts, in the words of the runs page's address. */
export interface RunsWish {
  readonly flow?: string | undefined;
  readonly status?: string;
  readonly since?: string;
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
  readonly min?: number | null;
  readonly sort?: string;
}

/** The address of the list of these runs. */
export function runsAddress(wish: RunsWish): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wish)) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return `/runs?${query}`;
}
