"use client";

import { Button, Skeleton } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Tryable } from "./operation.ts";
import styles from "./reference.module.css";

const load = () => import("./request-form.tsx");
const RequestForm = lazy(load);

/** A form that really sends the request, loaded on demand. */
export function TryOperation({ operation }: { readonly operation: Tryable }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) {
    return (
      <Suspense fallback={<Skeleton height={160} radius="md" />}>
        <RequestForm operation={operation} />
      </Suspense>
    );
  }
  return (
    <div className={styles.try}>
      <Button
        leftSection={<IconSend size={16} aria-hidden="true" />}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(true)}
      >
        Try it
      </Button>
      <p className={styles.note}>Sends a real request to this server.</p>
    </div>
  );
}
