"use client";

import { Popover, UnstyledButton } from "@mantine/core";
import Link from "next/link";
import type { ShownCredentialUse } from "./credential-kinds.ts";
import styles from "./credential-uses.module.css";

interface CredentialUseListProps {
  readonly uses: readonly ShownCredentialUse[];
  readonly words: string;
}

/** Which flows use a credential, and in which nodes; open to begin with: it was fetched because it was asked for. */
export default function CredentialUseList({ uses, words }: CredentialUseListProps) {
  return (
    <Popover position="bottom-start" width={300} shadow="md" defaultOpened>
      <Popover.Target>
        <UnstyledButton className={styles.count}>{words}</UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ul className={styles.list}>
          {uses.map(({ flowId, flowName, draft, ...current }) => (
            <li key={flowId}>
              <Link href={`/flows/${flowId}`} className={styles.flow}>
                {flowName}
              </Link>
              <span className={styles.nodes}>{namesOf(current)}</span>
              {draft !== undefined && <span className={styles.nodes}>Unpublished changes: {namesOf(draft)}</span>}
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function namesOf({ byTrigger, nodes }: Pick<ShownCredentialUse, "byTrigger" | "nodes">): string {
  return [...(byTrigger ? ["the trigger"] : []), ...nodes.map(({ name }) => name)].join(", ");
}
