"use client";

import { JsonBranch } from "./json-branch.tsx";
import { JsonLine } from "./json-line.tsx";
import styles from "./json-tree.module.css";
import { isBranch } from "./json-value.ts";

interface JsonTreeProps {
  readonly value: unknown;
  /** How an expression reaches the value: `$nodes['check'].output`. Copied paths begin with it. */
  readonly path: string;
  /** What it is, for whoever cannot see it. */
  readonly label: string;
}

/**
 * A JSON value as a tree. What is closed is not rendered, and long lists come a hundred at a time, so that a large
 * value costs what is seen of it. Text is shown as text: never as markup, never as a link.
 */
export function JsonTree({ value, path, label }: JsonTreeProps) {
  return (
    <section className={styles.tree} aria-label={label}>
      {isBranch(value) ? (
        <JsonBranch name={null} value={value} path={path} depth={0} />
      ) : (
        <JsonLine name={null} value={value} path={path} />
      )}
    </section>
  );
}
