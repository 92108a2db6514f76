"use client";

import { Popover, Skeleton, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useApi } from "#components/api/use-api.ts";
import { credentialQueries, type ShownCredential } from "./credential-queries.ts";
import styles from "./credential-uses.module.css";

/** How many flows use a credential; which, and in which nodes, on a click. */
export function CredentialUses({ credential }: { readonly credential: ShownCredential }) {
  const uses = useQuery(credentialQueries.uses(useApi(), credential.id));
  if (uses.data === undefined) return uses.isError ? "unknown" : <Skeleton height={10} width={48} />;
  if (uses.data.length === 0) return <span className={styles.none}>no flow</span>;
  return (
    <Popover position="bottom-start" width={300} shadow="md">
      <Popover.Target>
        <UnstyledButton className={styles.count}>
          {uses.data.length === 1 ? uses.data[0]?.flowName : `${uses.data.length} flows`}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ul className={styles.list}>
          {uses.data.map(({ flowId, flowName, byTrigger, nodes }) => (
            <li key={flowId}>
              <Link href={`/flows/${flowId}`} className={styles.flow}>
                {flowName}
              </Link>
              <span className={styles.nodes}>
                {[...(byTrigger ? ["the trigger"] : []), ...nodes.map(({ name }) => name)].join(", ")}
              </span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
