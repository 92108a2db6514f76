import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { draggable } from "./dragged-path.ts";
import { JsonCopy } from "./json-copy.tsx";
import { JsonLine } from "./json-line.tsx";
import styles from "./json-tree.module.css";
import { childCount, childPath, children, isBranch, type JsonBranchValue, sizeInWords } from "./json-value.ts";

const shownAtOnce = 100;

interface JsonBranchProps {
  readonly name: string | null;
  readonly value: JsonBranchValue;
  readonly path: string;
  readonly depth: number;
}

export function JsonBranch({ name, value, path, depth }: JsonBranchProps) {
  const count = childCount(value);
  const [opened, setOpened] = useState(depth === 0 || (depth < 3 && count <= 20));
  const [limit, setLimit] = useState(shownAtOnce);
  const ofList = Array.isArray(value);
  if (count === 0) return <JsonLine name={name} value={value} path={path} />;
  return (
    <div>
      <div className={styles.line} {...draggable(path)}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={opened}
          onClick={() => setOpened((before) => !before)}
        >
          <IconChevronRight size={14} aria-hidden="true" className={styles.chevron} />
          {name !== null && <span className={styles.key}>{name}</span>}
          <span className={styles.size}>
            {ofList ? "[ ]" : "{ }"} {sizeInWords(value)}
          </span>
        </button>
        <JsonCopy value={value} path={path} />
      </div>
      {opened && (
        <div className={styles.children}>
          {children(value, limit).map((child) => {
            const below = childPath(path, child.name, ofList);
            return isBranch(child.value) ? (
              <JsonBranch key={child.name} name={child.name} value={child.value} path={below} depth={depth + 1} />
            ) : (
              <JsonLine key={child.name} name={child.name} value={child.value} path={below} />
            );
          })}
          {count > limit && (
            <button type="button" className={styles.more} onClick={() => setLimit(limit + shownAtOnce)}>
              Show {Math.min(shownAtOnce, count - limit)} more of {count - limit}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
