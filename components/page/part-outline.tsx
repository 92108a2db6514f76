"use client";
import { Button, Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import styles from "./notice.module.css";

const lateMs = 10_000;

/**
 * The outline of a part that is being loaded; if that takes long, says so. Once the server was updated, only a new page
 * asks for the files that it has.
 */
export function PartOutline({ height }: { readonly height: number }) {
  const [isLate, setLate] = useState(false);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), lateMs);
    return () => clearTimeout(timer);
  }, []);
  // Not before the server answers: the browser would show an error of its own.
  const reload = () =>
    fetch("").then(
      () => location.reload(),
      () => setAway(true),
    );
  if (!isLate) return <Skeleton height={height} radius="md" />;
  return (
    <div role="alert" className={styles.notice}>
      <h2 className={styles.heading}>This part could not be loaded</h2>
      <p className={styles.text}>
        {isAway
          ? "The server still does not answer."
          : "The server does not answer, or was updated after this page was opened."}
      </p>
      <Button variant="default" onClick={() => void reload()}>
        Reload the page
      </Button>
    </div>
  );
}
