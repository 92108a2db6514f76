import { Skeleton } from "@mantine/core";
import styles from "./flow-skeleton.module.css";

/** The editor's outline while the flow loads. */
export function FlowSkeleton() {
  return (
    <div className={styles.frame} aria-busy="true" data-full-page>
      <div className={styles.head}>
        <Skeleton height={12} width={40} />
        <Skeleton height={16} width={200} />
      </div>
      <div className={styles.canvas} />
    </div>
  );
}
