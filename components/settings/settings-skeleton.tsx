import { Skeleton } from "@mantine/core";
import styles from "./settings-section.module.css";

/** So many rows of settings while they load. */
export function SettingsSkeleton({ rows }: { readonly rows: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they differ in nothing else
        <section key={row} className={styles.row}>
          <div>
            <Skeleton height={14} width={120} mt={3} />
            <Skeleton height={12} width={220} mt={10} />
          </div>
          <div className={styles.fields}>
            <Skeleton height="var(--control-height)" />
            <Skeleton height="var(--control-height)" width={110} />
          </div>
        </section>
      ))}
    </div>
  );
}
