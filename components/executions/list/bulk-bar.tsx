"use client";

import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { GuardedButton } from "#components/page/guarded-button.tsx";
import { type BulkAction, type BulkSelection, bulkActions, runsInWords } from "./bulk-actions.ts";
import styles from "./bulk-bar.module.css";
import { isFiltered, type RunFilter } from "./run-filter.ts";

const BulkDialog = lazy(async () => ({ default: (await import("./bulk-dialog.tsx")).BulkDialog }));

interface BulkBarProps {
  readonly chosen: ReadonlySet<string>;
  readonly filter: RunFilter;
  /** Runs that the filter fits. */
  readonly total: number;
  readonly onClear: () => void;
}

/** What can be done to the runs that are ticked, or to all that the filter fits. It lies over the page, and moves nothing. */
export function BulkBar({ chosen, filter, total, onClear }: BulkBarProps) {
  const [takesAll, setTakesAll] = useState(false);
  const [asked, ask] = useState<BulkAction | null>(null);
  const isAll = takesAll && isFiltered(filter);
  if (chosen.size === 0) return null;
  const selection: BulkSelection = isAll ? { filter } : { executionIds: [...chosen] };
  const clear = () => {
    setTakesAll(false);
    onClear();
  };
  return (
    <section className={styles.bar} aria-label="Chosen runs">
      <span className={styles.count}>{isAll ? `All ${runsInWords(total)}` : runsInWords(chosen.size)}</span>
      {!isAll && isFiltered(filter) && total > chosen.size && (
        <Button variant="subtle" onClick={() => setTakesAll(true)}>
          Choose all {runsInWords(total)} that match
        </Button>
      )}
      {bulkActions.map((action) => (
        <GuardedButton
          key={action.name}
          scope={action.scope}
          variant="default"
          {...(action.danger && { color: "red" })}
          onClick={() => ask(action)}
        >
          {action.label}
        </GuardedButton>
      ))}
      <Button variant="subtle" onClick={clear}>
        Clear
      </Button>
      {asked !== null && (
        <Suspense>
          <BulkDialog action={asked} selection={selection} onClose={() => ask(null)} onDone={clear} />
        </Suspense>
      )}
    </section>
  );
}
