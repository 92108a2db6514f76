import styles from "./method-mark.module.css";

interface MethodMarkProps {
  readonly method: string;
  readonly isSmall?: boolean;
}

/** An HTTP method: its word, in the colour of what it does. */
export function MethodMark({ method, isSmall = false }: MethodMarkProps) {
  return (
    <span className={styles.mark} data-method={method} data-small={isSmall || undefined}>
      {isSmall && method === "DELETE" ? "DEL" : method}
    </span>
  );
}
