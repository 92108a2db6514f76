import type { ReactNode } from "react";
import { ProductMark } from "#components/shell/product-mark.tsx";
import styles from "./entry-frame.module.css";
import { EntryPicture } from "./entry-picture.tsx";

/** The frame of the pages before one is signed in. */
export function EntryFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <main className={styles.entry}>
        <div className={styles.brand}>
          <ProductMark size={28} />
          <span>Millrace</span>
        </div>
        {children}
      </main>
      <div className={styles.picture} aria-hidden="true">
        <EntryPicture />
      </div>
    </div>
  );
}
