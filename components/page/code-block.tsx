import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

/** A few lines of text to be copied into a terminal. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}
