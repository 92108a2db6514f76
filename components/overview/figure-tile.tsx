import { IconArrowDownRight, IconArrowUpRight } from "@tabler/icons-react";
import Link from "next/link";
import type { Comparison } from "./compare-figures.ts";
import styles from "./figure-tiles.module.css";

interface FigureTileProps {
  readonly label: string;
  readonly value: string;
  readonly href: string;
  /** Against the span before; null where there is nothing to compare. */
  readonly change: Comparison | null;
  /** What a rise means. */
  readonly rise: "good" | "bad" | "neutral";
  /** In place of the comparison. */
  readonly note?: string;
}

/** A figure, how it was before, and the way to the runs that it counts. */
export function FigureTile({ label, value, href, change, rise, note }: FigureTileProps) {
  return (
    <Link href={href} className={styles.tile}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{value}</span>
      <span className={styles.change} data-tone={change === null ? undefined : toneOf(change, rise)}>
        {change?.direction === "up" && <IconArrowUpRight size={14} aria-hidden="true" />}
        {change?.direction === "down" && <IconArrowDownRight size={14} aria-hidden="true" />}
        {change?.text ?? note ?? "\u00a0"}
      </span>
    </Link>
  );
}

function toneOf({ direction }: Comparison, rise: FigureTileProps["rise"]): "good" | "bad" | undefined {
  if (direction === "same" || rise === "neutral") return undefined;
  return (direction === "up") === (rise === "good") ? "good" : "bad";
}
