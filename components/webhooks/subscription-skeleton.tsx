import { Skeleton } from "@mantine/core";
import { DataTableSkeleton } from "#components/page/data-table.tsx";
import { deliveryColumns } from "./delivery-columns.tsx";
import styles from "./subscription-view.module.css";

/** A subscription while it loads, in its own shape. */
export function SubscriptionSkeleton() {
  return (
    <div aria-busy="true">
      <div className={styles.head}>
        <Skeleton height={12} width={64} />
        <Skeleton height={20} width={360} />
        <Skeleton height={12} width={280} />
      </div>
      <DataTableSkeleton columns={deliveryColumns(() => undefined)} />
    </div>
  );
}
