import { CodeBlock } from "#components/page/copy-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
import { type GuideBlock, readGuide } from "./read-guide.ts";
import styles from "./reference.module.css";
import { InlineText } from "./words.tsx";

/** A docs page in the app. */
export function GuidePage({ markdown }: { readonly markdown: string }) {
  const blocks = readGuide(markdown);
  const [title] = blocks;
  let at = 0;
  return (
    <article className={styles.start}>
      <PageHeader parent={{ label: "API reference", path: "/reference" }} title={title?.text ?? ""} />
      {blocks.slice(1).map((block) => {
        at += 1;
        return <Block key={at} block={block} />;
      })}
    </article>
  );
}

function Block({ block }: { readonly block: GuideBlock }) {
  switch (block.kind) {
    case "code":
      return <CodeBlock text={block.text} label="Copy the example" />;
    case "heading":
      return (
        <h2 id={block.id} className={styles.guideHeading}>
          <InlineText text={block.text} />
        </h2>
      );
    default:
      return (
        <p className={styles.guideWords}>
          <InlineText text={block.text} />
        </p>
      );
  }
}
