/** A block of a guide's Markdown. */
export type GuideBlock =
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
