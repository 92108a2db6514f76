import type { ReactNode } from "react";
import { ProductMark } from "#components/shell/product-mark.tsx";
import styles from "./whole-page-notice.module.css";

interface WholePageNoticeProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** For a page with nothing else to show. */
export function WholePageNotice({ title, text, children }: WholePageNoticeProps) {
  return (
    <main className={styles.notice}>
      <span className={styles.mark}>
        <ProductMark size={32} />
      </span>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {children}
    </main>
  );
}
