"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { JsonRow } from "./json-row.tsx";
import type { RowWalk } from "./json-rows.ts";
import styles from "./json-tree.module.css";

const rowPx = 24;
/** How many rows are found beyond the visible ones. */
const rowsAhead = 20_000;

interface LongRowsProps {
  readonly walk: RowWalk;
  /** Called after each turn of the walk. */
  readonly onTurn: () => void;
  readonly onToggle: (path: string, opened: boolean) => void;
}

/** Thousands of rows, of which only the visible ones are rendered. */
export default function LongRows({ walk, onTurn, onToggle }: LongRowsProps) {
  const { rows, isDone } = walk;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    getItemKey: (index) => rows[index]?.path ?? index,
  });
  const seen = virtual.getVirtualItems().at(-1)?.index ?? 0;
  const isWanted = !isDone && rows.length < seen + rowsAhead;
  useEffect(() => {
    if (!isWanted) return;
    const timer = setTimeout(() => {
      walk.go();
      onTurn();
    });
    return () => clearTimeout(timer);
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={scroller} className={styles.scroller} tabIndex={0}>
      <div className={styles.all} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              className={styles.placed}
              style={{ transform: `translateY(${start}px)` }}
            >
              <JsonRow row={row} onToggle={onToggle} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
