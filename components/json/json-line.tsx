import { useState } from "react";
import { draggable } from "./dragged-path.ts";
import { JsonCopy } from "./json-copy.tsx";
import styles from "./json-tree.module.css";

const charactersShown = 400;

interface JsonLineProps {
  readonly name: string | null;
  readonly value: unknown;
  readonly path: string;
}

/** A value without children, in the colour of its type. */
export function JsonLine({ name, value, path }: JsonLineProps) {
  return (
    <div className={styles.line} {...draggable(path)}>
      <span className={styles.leaf}>
        {name !== null && <span className={styles.key}>{name}</span>}
        {typeof value === "string" ? <Text value={value} /> : <Plain value={value} />}
      </span>
      <JsonCopy value={value} path={path} />
    </div>
  );
}

function Plain({ value }: { readonly value: unknown }) {
  const type = value === null || value === undefined ? "null" : typeof value;
  return (
    <span className={styles.value} data-type={type}>
      {JSON.stringify(value) ?? "null"}
    </span>
  );
}

function Text({ value }: { readonly value: string }) {
  const [limit, setLimit] = useState(charactersShown);
  const rest = value.length - limit;
  return (
    <span className={styles.value} data-type="string">
      {JSON.stringify(rest > 0 ? value.slice(0, limit) : value)}
      {rest > 0 && (
        <button type="button" className={styles.more} onClick={() => setLimit(limit + 20_000)}>
          {rest} more characters
        </button>
      )}
    </span>
  );
}
