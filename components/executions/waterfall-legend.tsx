import styles from "./waterfall.module.css";
import type { PartKind } from "./waterfall-bars.ts";
import { partWords } from "./waterfall-track.tsx";

const order = ["queue", "run", "wait", "pause"] as const;

/** What the looks of the bars mean; nothing where they all mean the same. */
export function WaterfallLegend({ kinds }: { readonly kinds: ReadonlySet<PartKind> }) {
  if (!kinds.has("wait") && !kinds.has("pause")) return null;
  return (
    <ul className={styles.legend} aria-hidden="true">
      {order
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <li key={kind}>
            <span className={styles.bar} data-kind={kind} />
            {partWords[kind]}
          </li>
        ))}
    </ul>
  );
}
