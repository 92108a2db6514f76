import type { ReactNode } from "react";
import { Link } from "#components/page/link.tsx";
import styles from "./page-header.module.css";

interface PageHeaderProps {
  readonly title: ReactNode;
  /** Beside the title: a status. */
  readonly mark?: ReactNode;
  /** A line below the title. */
  readonly facts?: ReactNode;
  readonly actions?: ReactNode;
  readonly parent?: { readonly label: string; readonly path: string };
}

export function PageHeader({ title, mark, facts, actions, parent }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        {parent && (
          <Link href={parent.path} className={styles.parent}>
            {parent.label}
          </Link>
        )}
        <div className={styles.line}>
          <h1 className={styles.title}>{title}</h1>
          {mark}
        </div>
        {facts && <div className={styles.facts}>{facts}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
