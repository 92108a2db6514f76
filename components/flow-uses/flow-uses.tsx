"use client";
import { Skeleton, UnstyledButton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import styles from "./flow-uses.module.css";

const FlowUseList = lazy(() => import("./flow-use-list.tsx"));

/** A flow that uses something, and the nodes that do: names separated by commas. */
export interface FlowUse {
  readonly flowId: string;
  readonly flowName: string;
  readonly live: string;
  /** The working copy's nodes, if it uses it too. */
  readonly draft?: string;
}

interface FlowUsesProps {
  readonly uses: { readonly data: readonly FlowUse[] | undefined; readonly isError: boolean };
}

/** How many flows use something; a click lists them with their nodes. */
export function FlowUses({ uses: { data, isError } }: FlowUsesProps) {
  const [isOpen, setOpen] = useState(false);
  if (data === undefined) return isError ? "unknown" : <Skeleton height={10} width={48} />;
  const [first] = data;
  if (first === undefined) return <span className={styles.none}>no flows</span>;
  const label = data.length === 1 ? first.flowName : `${data.length} flows`;
  const closed = (
    <UnstyledButton className={styles.count} aria-haspopup="dialog" onClick={() => setOpen(true)}>
      {label}
    </UnstyledButton>
  );
  if (!isOpen) return closed;
  return (
    <Suspense fallback={closed}>
      <FlowUseList uses={data} words={label} />
    </Suspense>
  );
}
