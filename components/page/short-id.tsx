import { CopyButton } from "./copy-button.tsx";
import styles from "./short-id.module.css";

/** Shortened in the middle: the kind and the end tell ids apart. */
export function shortenId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 9)}…${id.slice(-6)}`;
}

/** An id, shown short and copied whole. */
export function ShortId({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <span className={styles.id}>
      <span className="mono" title={id}>
        {shortenId(id)}
      </span>
      <CopyButton text={id} label={`Copy the ${what} id`} />
    </span>
  );
}
