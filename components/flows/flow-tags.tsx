import styles from "./flow-tags.module.css";

const shown = 3;

interface FlowTagsProps {
  readonly tags: readonly string[];
  /** Shows the flows that have a tag; without it, tags are only shown. */
  readonly onPick?: (tag: string) => void;
}

export function FlowTags({ tags, onPick }: FlowTagsProps) {
  const rest = tags.slice(shown);
  return (
    <span className={styles.tags}>
      {tags.slice(0, shown).map((tag) =>
        onPick === undefined ? (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ) : (
          <button
            key={tag}
            type="button"
            className={`${styles.tag} ${styles.pick}`}
            title={`Show flows tagged ${tag}`}
            onClick={() => onPick(tag)}
          >
            {tag}
          </button>
        ),
      )}
      {rest.length > 0 && (
        <span className={styles.tag} title={rest.join(", ")}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}
