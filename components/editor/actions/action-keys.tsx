import { isMac } from "#components/palette/is-mac.ts";
import { type Action, keysOf } from "./action.ts";
import styles from "./action-keys.module.css";

/** The keys of an action, beside its words in a menu; nothing for an action without. */
export function ActionKeys({ action }: { readonly action: Action }) {
  const keys = keysOf(action, isMac());
  return keys === null ? null : <kbd className={styles.keys}>{keys}</kbd>;
}
