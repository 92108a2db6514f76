import Link from "next/link";
import { MethodMark } from "./method-mark.tsx";
import type { OperationLink } from "./operation.ts";
import styles from "./reference-index.module.css";

interface OperationGroupsProps {
  readonly links: readonly OperationLink[];
  /** Id of the operation that is read; undefined for none. */
  readonly here: string | undefined;
}

/** Links to operations, under their tags. */
export function OperationGroups({ links, here }: OperationGroupsProps) {
  const tags = [...new Set(links.map(({ tag }) => tag))];
  return tags.map((tag) => (
    <section key={tag}>
      <h2 className={styles.tag}>{tag}</h2>
      <ul className={styles.list}>
        {links
          .filter((link) => link.tag === tag)
          .map(({ id, method, path, summary }) => (
            <li key={id}>
              <Link
                href={`/reference/${id}`}
                prefetch={false}
                className={styles.link}
                title={`${method} ${path}`}
                aria-current={id === here ? "page" : undefined}
              >
                <span className={styles.summary}>{summary}</span>
                <MethodMark method={method} isSmall />
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ));
}
