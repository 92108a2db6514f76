"use client";

import { useParams, useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import type { OperationLink } from "./operation.ts";
import styles from "./reference-frame.module.css";
import { ReferenceIndex } from "./reference-index.tsx";

interface ReferenceFrameProps {
  readonly links: readonly OperationLink[];
  readonly children: ReactNode;
}

/** The reference: its index beside the page. `/reference#createFlow` leads to that operation as well. */
export function ReferenceFrame({ links, children }: ReferenceFrameProps) {
  const { operation } = useParams<{ operation?: string }>();
  const router = useRouter();
  useEffect(() => {
    const follow = () => {
      const id = window.location.hash.slice(1);
      if (links.some((link) => link.id === id)) router.replace(`/reference/${id}`);
    };
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [links, router]);
  return (
    <div className={styles.frame}>
      <ReferenceIndex links={links} here={operation} />
      <div className={styles.page}>{children}</div>
    </div>
  );
}
