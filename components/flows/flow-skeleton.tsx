import { Skeleton } from "@mantine/core";
import styles from "./flow-skeleton.module.css";

/** The shape of the editor before there is a flow in it. */
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
