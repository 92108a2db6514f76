// biome-ignore-all lint/a11y/useSemanticElements: a table cannot leave out the rows and columns that are not seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell
"use client";

import { UnstyledButton } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowUp,
  IconBraces,
  IconClock,
  IconHash,
  IconLetterT,
  IconPencil,
  IconToggleLeft,
  IconTrash,
  IconX,
} from "@tabler/icons-react";
import { type PointerEvent, useRef } from "react";
import { RowMenu } from "#components/page/row-menu.tsx";
import { type ShownColumn, typeWords } from "#components/tables/table-queries.ts";
import { nextSort } from "#components/tables/text/filter.ts";
import styles from "./data-grid.module.css";

const icons = { text: IconLetterT, number: IconHash, boolean: IconToggleLeft, time: IconClock, json: IconBraces };

/** The actions on a column. */
export interface ColumnActions {
  readonly sort: string | undefined;
  readonly onSort: (sort: string | null) => void;
  readonly onAsk: (ask: { readonly kind: "rename" | "delete"; readonly column: ShownColumn }) => void;
  readonly onWidth: (id: string, width: number) => void;
  readonly refusal: string | null;
  /** A table's only column cannot be deleted. */
  readonly isOnly: boolean;
}

interface ColumnHeadProps {
  readonly column: ShownColumn;
  readonly at: number;
  readonly left: number;
  readonly width: number;
  readonly actions: ColumnActions;
}

export function ColumnHead({ column, at, left, width, actions }: ColumnHeadProps) {
  const { name, type, unique, indexed, required } = column;
  const { sort, onSort, onAsk, refusal, isOnly } = actions;
  const direction = sort === name ? "ascending" : sort === `-${name}` ? "descending" : undefined;
  const Icon = icons[type];
  const rules = [required && "required", unique ? "unique" : indexed && "indexed"].filter((rule) => rule !== false);
  const about = `${typeWords[type]}${rules.map((rule) => `, ${rule}`).join("")}`;
  const isSortable = type !== "json";
  const label = (
    <>
      <Icon size={14} aria-hidden="true" />
      <span className={styles.headName}>{name}</span>
      {required && (
        <span className={styles.rule} aria-hidden="true">
          *
        </span>
      )}
      {direction === "ascending" && <IconArrowUp size={14} aria-hidden="true" />}
      {direction === "descending" && <IconArrowDown size={14} aria-hidden="true" />}
    </>
  );
  return (
    <div
      role="columnheader"
      aria-colindex={at + 2}
      aria-sort={direction ?? (isSortable ? "none" : undefined)}
      className={styles.headCell}
      style={{ left, width }}
      title={about}
    >
      {isSortable ? (
        <UnstyledButton
          className={styles.sort}
          aria-description={`${about}. Sorts by it.`}
          onClick={() => onSort(nextSort(name, sort))}
        >
          {label}
        </UnstyledButton>
      ) : (
        <span className={styles.sort}>{label}</span>
      )}
      <RowMenu
        label={`Column ${name}`}
        note={refusal}
        entries={[
          ...(isSortable
            ? [
                { label: "Sort ascending", icon: IconArrowUp, onChoose: () => onSort(name) },
                { label: "Sort descending", icon: IconArrowDown, onChoose: () => onSort(`-${name}`) },
              ]
            : []),
          ...(direction === undefined ? [] : [{ label: "Clear sorting", icon: IconX, onChoose: () => onSort(null) }]),
          {
            label: "Rename",
            icon: IconPencil,
            onChoose: () => onAsk({ kind: "rename", column }),
            disabled: refusal !== null,
          },
          {
            label: "Delete",
            icon: IconTrash,
            onChoose: () => onAsk({ kind: "delete", column }),
            danger: true,
            disabled: refusal !== null || isOnly,
          },
        ]}
      />
      <Grip width={width} onWidth={(to) => actions.onWidth(column.id, to)} />
    </div>
  );
}

const widths = { least: 72, most: 800 } as const;

/** Resizes a column. */
function Grip({ width, onWidth }: { readonly width: number; readonly onWidth: (width: number) => void }) {
  const from = useRef<{ x: number; width: number } | null>(null);
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
  };
  const move = (event: PointerEvent) => {
    if (from.current === null) return;
    const to = from.current.width + event.clientX - from.current.x;
    onWidth(Math.max(widths.least, Math.min(widths.most, to)));
  };
  const end = () => {
    from.current = null;
  };
  return (
    <span
      aria-hidden="true"
      className={styles.grip}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
