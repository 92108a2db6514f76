import { Fragment } from "react";
import styles from "./method-mark.module.css";

/** Text in the format of the API's descriptions: paragraphs, and code between backticks. */
export function Words({ text }: { readonly text: string }) {
  return text.split(/\n{2,}/).map((paragraph) => (
    <p key={paragraph}>
      <InlineText text={paragraph} />
    </p>
  ));
}

/** One paragraph of it. */
export function InlineText({ text }: { readonly text: string }) {
  let at = 0;
  return text.split(/(`[^`]+`)/).map((part) => {
    const key = at;
    at += part.length;
    return part.startsWith("`") ? <code key={key}>{part.slice(1, -1)}</code> : <Fragment key={key}>{part}</Fragment>;
  });
}

interface MethodMarkProps {
  readonly method: string;
  readonly isSmall?: boolean;
}

/** An HTTP method, in the colour of its effect. */
export function MethodMark({ method, isSmall = false }: MethodMarkProps) {
  return (
    <span className={styles.mark} data-method={method} data-small={isSmall || undefined}>
      {isSmall && method === "DELETE" ? "DEL" : method}
    </span>
  );
}
