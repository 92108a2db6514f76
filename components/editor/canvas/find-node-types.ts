import type { NodeType } from "#lib/contract/node-types.ts";

export const familyLabels: Readonly<Record<NodeType["family"], string>> = {
  action: "Actions",
  logic: "Logic",
  data: "Data",
  output: "Output",
};

/** The types whose name, id or description has every word of the search, in families. */
export function findNodeTypes(types: readonly NodeType[], search: string): readonly NodeType[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const families = Object.keys(familyLabels);
  const score = (type: NodeType) => {
    const name = `${type.name} ${type.type}`.toLowerCase();
    const text = `${name} ${type.description.split("\n", 1)[0]}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return -1;
    return words.every((word) => name.includes(word)) ? 1 : 0;
  };
  return types
    .map((type) => ({ type, score: score(type) }))
    .filter((found) => found.score >= 0)
    .toSorted((a, b) => b.score - a.score || families.indexOf(a.type.family) - families.indexOf(b.type.family))
    .map((found) => found.type);
}

/** A type's description, as far as one line goes: its first sentence, as plain text. */
export function firstSentence(description: string): string {
  const text = description.replaceAll("\n", " ").replaceAll("`", "");
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}
