"use client";

import { Popover, UnstyledButton } from "@mantine/core";
import { Link } from "#components/page/link.tsx";
import { useOpenedByEffect } from "#components/page/regain-focus.ts";
import styles from "./flow-uses.module.css";
import type { FlowUse } from "./flow-uses.tsx";

interface FlowUseListProps {
  readonly uses: readonly FlowUse[];
  readonly words: string;
}

/** The flows and nodes that use something. Opened at once: it was loaded because somebody opened it. */
export default function FlowUseList({ uses, words }: FlowUseListProps) {
  const { target, opened, onChange } = useOpenedByEffect();
  return (
    <Popover position="bottom-start" width={300} shadow="md" opened={opened} onChange={onChange}>
      <Popover.Target>
        <UnstyledButton ref={target} className={styles.count}>
          {words}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ul className={styles.list}>
          {uses.map(({ flowId, flowName, live, draft }) => (
            <li key={flowId}>
              <Link href={`/flows/${flowId}`} className={styles.flow}>
                {flowName}
              </Link>
              <span className={styles.nodes}>{live}</span>
              {draft !== undefined && <span className={styles.nodes}>Unpublished changes: {draft}</span>}
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
