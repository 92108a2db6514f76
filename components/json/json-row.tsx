import { IconChevronRight } from "@tabler/icons-react";
import { draggable } from "./dragged-path.ts";
import { JsonCopy } from "./json-copy.tsx";
import { JsonLine } from "./json-line.tsx";
import type { JsonRow as Row } from "./json-rows.ts";
import styles from "./json-tree.module.css";
import { isBranch, sizeInWords } from "./json-value.ts";

interface JsonRowProps {
  readonly row: Row;
  readonly onToggle: (path: string, opened: boolean) => void;
}

export function JsonRow({ row, onToggle }: JsonRowProps) {
  const { name, value, path, depth, opened } = row;
  return (
    <div className={styles.row} style={{ paddingLeft: depth * 16, backgroundSize: `${depth * 16}px 100%` }}>
      {opened === null || !isBranch(value) ? (
        <JsonLine name={name} value={value} path={path} />
      ) : (
        <div className={styles.line} {...draggable(path)}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={opened}
            onClick={() => onToggle(path, !opened)}
          >
            <IconChevronRight size={14} aria-hidden="true" className={styles.chevron} />
            {name !== null && <span className={styles.key}>{name}</span>}
            <span className={styles.size}>
              {Array.isArray(value) ? "[ ]" : "{ }"} {sizeInWords(value)}
            </span>
          </button>
          <JsonCopy value={value} path={path} />
        </div>
      )}
    </div>
  );
}
