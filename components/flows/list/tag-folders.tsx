"use client";

import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "#components/api/use-api.ts";
import { flowQueries } from "../flow-queries.ts";
import styles from "./tag-folders.module.css";

interface TagFoldersProps {
  readonly chosen: string | undefined;
  readonly onChoose: (tag: string | null) => void;
}

/** The tags of the flows, as folders: a flow lies in each of its tags. */
export function TagFolders({ chosen, onChoose }: TagFoldersProps) {
  const known = useQuery(flowQueries.tags(useApi()));
  const counts = new Map(known.data?.map(({ tag, flows }) => [tag, flows]));
  if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0);
  if (known.isPending) return <Skeleton height={28} width={240} radius={999} mb={12} />;
  if (counts.size === 0) return null;
  const tags = [...counts].sort(([one], [other]) => one.localeCompare(other));
  return (
    <ul className={styles.folders} aria-label="Tags">
      <li>
        <button
          type="button"
          className={styles.folder}
          aria-pressed={chosen === undefined}
          onClick={() => onChoose(null)}
        >
          All
        </button>
      </li>
      {tags.map(([tag, count]) => (
        <li key={tag}>
          <button
            type="button"
            className={styles.folder}
            aria-pressed={chosen === tag}
            onClick={() => onChoose(chosen === tag ? null : tag)}
          >
            {tag} <span className={styles.count}>{count}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
