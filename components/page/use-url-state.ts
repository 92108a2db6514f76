"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

export type UrlChange = Readonly<Record<string, string | null>>;

/**
 * A list's state in the URL, so that it can be shared and Back undoes it. Changing anything but the page resets the
 * page. `replace` creates no history entry.
 */
export function useUrlState(): {
  readonly read: (name: string) => string | undefined;
  readonly change: (change: UrlChange, replace?: boolean) => void;
} {
  const search = useSearchParams();
  const read = useCallback((name: string) => search.get(name) ?? undefined, [search]);
  const change = useCallback(
    (changes: UrlChange, replace = false) => {
      // Not `search`, which follows a moment later: two changes at once would lose the first.
      const present = new URLSearchParams(window.location.search);
      const next = new URLSearchParams(present);
      if (!("page" in changes)) next.delete("page");
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === "") next.delete(name);
        else next.set(name, value);
      }
      // Another entry for the same list would make Back do nothing.
      const isThere = next.toString() === present.toString();
      if (isThere && next.toString() === search.toString()) return;
      const address = next.size > 0 ? `?${next}` : window.location.pathname;
      // In the address, but not on the page: Next's router misses changes made before its own effects have run.
      if (replace || isThere) window.history.replaceState(null, "", address);
      else window.history.pushState(null, "", address);
    },
    [search],
  );
  return { read, change };
}
