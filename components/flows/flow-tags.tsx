import styles from "./flow-tags.module.css";

const shown = 3;

export function FlowTags({ tags }: { readonly tags: readonly string[] }) {
  const rest = tags.slice(shown);
  return (
    <span className={styles.tags}>
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
      {rest.length > 0 && (
        <span className={styles.tag} title={rest.join(", ")}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}
