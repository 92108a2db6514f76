import type { CSSProperties, ReactNode } from "react";
import { ProductMark } from "#components/shell/product-mark.tsx";

interface WholePageNoticeProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

// Inline, not a stylesheet: every page would prefetch it for a rare error.
const styles = {
  notice: {
    display: "grid",
    alignContent: "center",
    justifyItems: "start",
    gap: 12,
    maxWidth: 480,
    minHeight: "72dvh",
    margin: "0 auto",
    padding: 24,
  },
  mark: { color: "var(--accent-text)" },
  title: { fontSize: "var(--size-title)", fontWeight: 600 },
  text: { color: "var(--text-muted)" },
} satisfies Record<string, CSSProperties>;

/** For a page with nothing else to show. */
export function WholePageNotice({ title, text, children }: WholePageNoticeProps) {
  return (
    <main style={styles.notice}>
      <span style={styles.mark}>
        <ProductMark size={32} />
      </span>
      <h1 style={styles.title}>{title}</h1>
      <p style={styles.text}>{text}</p>
      {children}
    </main>
  );
}
