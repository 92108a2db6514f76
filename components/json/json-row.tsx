import { IconCheck, IconChevronRight, IconCopy, IconRoute, IconTextPlus } from "@tabler/icons-react";
import { useContext, useState } from "react";
import { useCopy } from "#components/page/copy-text.ts";
import { copiedText, draggable, isBranch, PickPath, type JsonRow as Row, sizeInWords } from "./json-rows.ts";
import styles from "./json-tree.module.css";

const charactersShown = 400;

interface JsonLineProps {
  readonly name: string | null;
  readonly value: unknown;
  readonly path: string;
}

/** A value without children, in the colour of its type. */
function JsonLine({ name, value, path }: JsonLineProps) {
  const pick = useContext(PickPath);
  return (
    <div className={styles.line} {...draggable(path)}>
      {/* The button beside it does the same for the keyboard. */}
      <span className={styles.leaf} {...(pick && { "data-pick": true, onClick: () => pick(path) })}>
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
        <button
          type="button"
          className={styles.more}
          onClick={(event) => {
            event.stopPropagation();
            setLimit(limit + 20_000);
          }}
        >
          {rest} more characters
        </button>
      )}
    </span>
  );
}

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

/** Copies a value, or the expression that reaches it; in a form, inserts that into a field. */
function JsonCopy({ value, path }: { readonly value: unknown; readonly path: string }) {
  const { isCopied, copy } = useCopy();
  const pick = useContext(PickPath);
  return (
    <span className={styles.actions}>
      {pick !== null && (
        <button
          type="button"
          className={styles.action}
          onClick={() => pick(path)}
          title={`Insert ${path} into the field`}
          aria-label={`Insert ${path} into the field`}
        >
          <IconTextPlus size={13} />
        </button>
      )}
      <button
        type="button"
        className={styles.action}
        onClick={() => copy(copiedText(value))}
        title="Copy the value"
        aria-label={`Copy the value of ${path}`}
      >
        {isCopied ? <IconCheck size={13} /> : <IconCopy size={13} />}
      </button>
      <button
        type="button"
        className={styles.action}
        onClick={() => copy(path)}
        title={`Copy the path ${path}`}
        aria-label={`Copy the path ${path}`}
      >
        <IconRoute size={13} />
      </button>
    </span>
  );
}
