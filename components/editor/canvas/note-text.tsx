import Markdown from "markdown-to-jsx/react";
import styles from "./note-text.module.css";

/** Nothing is fetched, and links open outside the editor. Headings are one level lower: the page's first is the flow's name. */
const overrides = {
  img: ({ alt }: { alt?: string }) => <span>{alt}</span>,
  h1: { component: "h2" },
  h2: { component: "h3" },
  h3: { component: "h4" },
  h4: { component: "h5" },
  h5: { component: "h6" },
  a: { props: { target: "_blank", rel: "noopener noreferrer", className: "nodrag" } },
} as const;

/** A note's text as Markdown, in the direction of its own script; HTML is shown as text. */
export default function NoteText({ text }: { readonly text: string }) {
  return (
    <Markdown className={styles.text} dir="auto" options={{ disableParsingRawHTML: true, forceBlock: true, overrides }}>
      {text}
    </Markdown>
  );
}
