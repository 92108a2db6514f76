"use client";

import { Skeleton, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useApi } from "#components/api/use-api.ts";
import { credentialQueries, type ShownCredential } from "./credential-queries.ts";
import styles from "./credential-uses.module.css";

const CredentialUseList = lazy(() => import("./credential-use-list.tsx"));

/** How many flows use a credential; which, and in which nodes, on a click. */
export function CredentialUses({ credential }: { readonly credential: ShownCredential }) {
  const uses = useQuery(credentialQueries.uses(useApi(), credential.id));
  const [wanted, setWanted] = useState(false);
  if (uses.data === undefined) return uses.isError ? "unknown" : <Skeleton height={10} width={48} />;
  const [first] = uses.data;
  if (first === undefined) return <span className={styles.none}>no flow</span>;
  const words = uses.data.length === 1 ? first.flowName : `${uses.data.length} flows`;
  const closed = (
    <UnstyledButton className={styles.count} aria-haspopup="dialog" onClick={() => setWanted(true)}>
      {words}
    </UnstyledButton>
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <CredentialUseList uses={uses.data} words={words} />
    </Suspense>
  );
}
