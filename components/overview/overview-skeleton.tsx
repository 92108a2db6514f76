import { Skeleton } from "@mantine/core";
import styles from "./overview.module.css";

/** The overview's outline while it loads. */
export function OverviewSkeleton() {
  return (
    <div className={styles.body} aria-busy="true">
      <Skeleton height={41} radius="md" />
      <Skeleton height={91} radius="md" />
      <Skeleton height={282} radius="md" />
      <div className={styles.pair}>
        <Skeleton height={220} radius="md" />
        <Skeleton height={220} radius="md" />
      </div>
    </div>
  );
}
