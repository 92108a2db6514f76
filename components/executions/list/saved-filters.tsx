"use client";

import { lazy, Suspense } from "react";
import { useReach } from "#components/page/use-reach.ts";
import { SavedFiltersButton } from "./saved-filters-button.tsx";
import type { SavedFiltersProps } from "./saved-filters-menu.tsx";

const load = () => import("./saved-filters-menu.tsx");
const SavedFiltersMenu = lazy(load);

/** One's own filters under a name; the menu is fetched when somebody reaches for it. */
export function SavedFilters(props: SavedFiltersProps) {
  const { wanted, reached } = useReach(load);
  const closed = <SavedFiltersButton aria-haspopup="menu" {...reached} />;
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <SavedFiltersMenu {...props} />
    </Suspense>
  );
}
