const key = "millrace:overview-visits";

/** After this much inactivity, a visit has ended. */
const restMs = 30 * 60_000;

interface Visits {
  /** When the previous visit ended; null on the first. */
  readonly before: number | null;
  /** When the page was last visited. */
  readonly seen: number;
}

/** Records a visit to the page, and returns the earlier ones. */
export function noteVisit(known: Visits | null, now: number): Visits {
  if (known === null) return { before: null, seen: now };
  return { before: now - known.seen >= restMs ? known.seen : known.before, seen: now };
}

/** The same, stored in this browser; a first visit each time where storage is blocked. */
export function noteOwnVisit(): Visits {
  const now = Date.now();
  try {
    const visits = noteVisit(readVisits(window.localStorage.getItem(key)), now);
    window.localStorage.setItem(key, JSON.stringify(visits));
    return visits;
  } catch {
    return noteVisit(null, now);
  }
}

/** The stored record; null for anything else. */
export function readVisits(text: string | null): Visits | null {
  try {
    const read: unknown = JSON.parse(text ?? "null");
    if (typeof read !== "object" || read === null || !("seen" in read) || typeof read.seen !== "number") return null;
    return { seen: read.seen, before: "before" in read && typeof read.before === "number" ? read.before : null };
  } catch {
    return null;
  }
}
