import Markdown from "markdown-to-jsx/react";
import styles from "./note-text.module.css";

/** Nothing is fetched, and links open outside the editor. */
const overrides = {
  img: ({ alt }: { alt?: string }) => <span>{alt}</span>,
  a: { props: { target: "_blank", rel: "noopener noreferrer", className: "nodrag" } },
} as const;

/** A note's text as Markdown; HTML is shown as text. */
export default function NoteText({ text }: { readonly text: string }) {
  return (
    <Markdown className={styles.text} options={{ disableParsingRawHTML: true, forceBlock: true, overrides }}>
      {text}
    </Markdown>
  );
}
