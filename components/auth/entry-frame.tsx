import type { ReactNode } from "react";
import { ProductMark } from "#components/shell/product-mark.tsx";
import entryFrameStyles from "./entry-frame.module.css";
import styles from "./entry-picture.module.css";

const cards = [
  { x: 40, y: 268, family: "trigger", wide: 84, done: true },
  { x: 268, y: 268, family: "logic", wide: 64, done: true },
  { x: 496, y: 152, family: "data", wide: 92, done: true },
  { x: 496, y: 384, family: "output", wide: 58, done: false },
  { x: 724, y: 152, family: "action", wide: 76, done: true },
] as const;
const wires = [
  { path: "M200 296H268", taken: true },
  { path: "M428 286c40 0 28-106 68-106", taken: true },
  { path: "M428 306c40 0 28 106 68 106", taken: false },
  { path: "M656 180H724", taken: true },
] as const;

/** A flow after a run: the taken path is solid, the other faded. */
function EntryPicture() {
  return (
    <svg viewBox="0 60 924 480" className={styles.picture} aria-hidden="true">
      {wires.map(({ path, taken }) => (
        <path key={path} d={path} className={taken ? styles.taken : styles.dead} />
      ))}
      {cards.map(({ x, y, family, wide, done }) => (
        <g key={`${x}-${y}`} transform={`translate(${x} ${y})`} className={done ? undefined : styles.faded}>
          <rect width="160" height="56" rx="10" className={styles.card} strokeDasharray={done ? undefined : "5 4"} />
          <rect x="12" y="12" width="32" height="32" rx="8" fill={`var(--family-${family}-soft)`} />
          <circle cx="28" cy="28" r="6" fill={`var(--family-${family})`} />
          <rect x="56" y="18" width={wide} height="8" rx="4" fill="var(--line-strong)" />
          <rect x="56" y="33" width={wide * 0.6} height="6" rx="3" fill="var(--line)" />
          {done && <circle cx="146" cy="2" r="9" className={styles.mark} />}
          {done && <path d="M142 2l3 3 5-6" className={styles.tick} />}
        </g>
      ))}
    </svg>
  );
}

/** The frame of the pages before sign-in. */
export function EntryFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={entryFrameStyles.frame}>
      <main className={entryFrameStyles.entry}>
        <div className={entryFrameStyles.brand}>
          <ProductMark size={28} />
          <span>Millrace</span>
        </div>
        {children}
      </main>
      <div className={entryFrameStyles.picture} aria-hidden="true">
        <EntryPicture />
      </div>
    </div>
  );
}
