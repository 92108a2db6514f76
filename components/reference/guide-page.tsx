import { CodeBlock } from "#components/page/copy-button.tsx";
import { PageHeader } from "#components/page/page-header.tsx";
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

/** A block of a guide's Markdown. */
type GuideBlock =
  | { readonly kind: "title" | "paragraph"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string; readonly id: string }
  | { readonly kind: "code"; readonly text: string };

/** Parses a docs page's Markdown: headings, paragraphs and code blocks. */
export function readGuide(markdown: string): GuideBlock[] {
  return markdown.split(/^(```\w*\n[\s\S]*?^```)$/m).flatMap((part) => {
    if (part.startsWith("```")) return [codeOf(part)];
    return part
      .split(/\n{2,}/)
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .map(blockOf);
  });
}

function codeOf(fence: string): GuideBlock {
  return { kind: "code", text: fence.split("\n").slice(1, -1).join("\n") };
}

function blockOf(text: string): GuideBlock {
  if (text.startsWith("# ")) return { kind: "title", text: text.slice(2) };
  if (!text.startsWith("## ")) return { kind: "paragraph", text: plainLinks(text.replaceAll("\n", " ")) };
  const heading = text.slice(3);
  return { kind: "heading", text: heading, id: /`([^`]+)`/.exec(heading)?.[1] ?? heading };
}

/** Links to other files of the docs, as text. */
function plainLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
}
