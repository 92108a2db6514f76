import { childrenOf, readBodyTree, type Tree } from "#lib/expressions/expressions.ts";
import { n8nLimits } from "../document.ts";
import { whyNotConverted } from "../expressions/read-value.ts";
import { all, Rewriter } from "../expressions/rewrite.ts";
import { chainOf } from "../expressions/tree.ts";
import { freeName, listOf, NotConverted, namesIn, restoredItem, type Source } from "../source.ts";
import type { Around } from "./convert-node.ts";

/** A converted code node: its code, and whether its result is one item or a list. */
export interface MadeCode {
  readonly code: string;
  readonly shape: "one" | "list";
  /** True if its items correspond to the input's, in order. */
  readonly isEach: boolean;
}

/** Converts a code node, or its predecessor, the function node. Throws NotConverted. */
export function convertCode({ node, parameters, reading }: Around): MadeCode {
  if (parameters.text("language", "javaScript") !== "javaScript") throw new NotConverted("code in Python");
  const code = parameters.at(node.type.startsWith("function") ? "functionCode" : "jsCode");
  const text = typeof code === "string" ? code : "";
  if (text.length > n8nLimits.codeCharactersMax) {
    throw new NotConverted(`code of more than ${n8nLimits.codeCharactersMax} characters`);
  }
  const tree = readBodyTree(text) as unknown as Tree | null;
  if (tree === null) throw new NotConverted("code that waits (“await”), or that is not JavaScript");
  const used = namesIn(tree);
  for (const name of unavailable) if (used.has(name)) throw new NotConverted(`code that uses “${name}”`);
  const isEach = node.type === "functionItem" || parameters.text("mode", "runOnceForAllItems") === "runOnceForEachItem";
  const taken = reading.input;
  const takesOne = taken.shape === "one";
  const [item, index, whole] = [freeName("item", used), freeName("index", used), freeName("input", used)];
  // Code may change its input, and then read it again.
  const isPutTogether = takesOne && taken.moved !== undefined;
  const { moved: _, ...plain } = taken;
  const input: Source = isPutTogether ? { ...plain, json: whole } : taken;
  const start = isPutTogether ? `const ${whole} = ${restoredItem(taken)};\n` : "";
  const source: Source = takesOne
    ? input
    : { ...input, shape: "one", json: isEach ? item : `${input.json}[0]`, isThere: "true" };
  const about = {
    ...{ ...reading, input },
    item: source,
    index: takesOne || !isEach ? "0" : index,
    line: isEach ? input.line : undefined,
    all: text.split("$input.all()").length > 2 ? freeName("all", used) : undefined,
  };
  const own = rewritten(text, tree, { ...about, of: (name) => reading.of(name) });
  const given = about.all === undefined ? "" : `const ${about.all} = ${all(input)};\n`;
  const names = start + given + namesGiven(node.type, used, input, source);
  if (isEach) {
    const made = `${names}const made = (() => {\n${own}\n})();\nreturn made?.json ?? made;`;
    if (takesOne) return { code: made, shape: "one", isEach };
    return { code: `return ${input.json}.map((${item}, ${index}) => {\n${made}\n});`, shape: "list", isEach };
  }
  const isSingle = returnsOf(tree).every((made) => isSingleItem(made, takesOne));
  const items = `${names}const made = (() => {\n${own}\n})();\nconst made_items = [made ?? []].flat().map((one) => one?.json ?? one);`;
  const result = freeName("items_made", used);
  const made = `${items.replaceAll("made_items", result)}\nreturn ${result}${isSingle ? "[0]" : ""};`;
  return { code: made, shape: isSingle ? "one" : "list", isEach };
}

/** Names that n8n's code has and ours does not. */
const unavailable = ["fetch", "setTimeout", "setInterval", "process", "Buffer", "axios"];

function rewritten(text: string, tree: Tree, reading: Around["reading"]): string {
  try {
    return new Rewriter(text, reading, true).emit(tree);
  } catch (error) {
    throw new NotConverted(whyNotConverted(error));
  }
}

/** The names that n8n defines for the code. */
function namesGiven(type: string, used: ReadonlySet<string>, input: Source, single: Source): string {
  if (type === "functionItem")
    return used.has("item") && single.json !== "item" ? `let item = ${restoredItem(single)};\n` : "";
  if (!used.has("items")) return "";
  const list = input.shape === "one" ? `[${restoredItem(input)}]` : listOf(input);
  return `let items = ${list}.map((json) => ({ json }));\n`;
}

/** The values of the code's own return statements, not those of nested functions. */
function returnsOf(root: Tree): readonly (Tree | null)[] {
  const found: (Tree | null)[] = [];
  const stack: Tree[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "ReturnStatement") found.push(node.argument ?? null);
    else if (!node.type.includes("Function") && node.type !== "ClassBody") stack.push(...childrenOf(node));
  }
  return found.length === 0 ? [null] : found;
}

/** Whether the result is certainly one item: code that maps its input is, if the input is one item. */
function isSingleItem(made: Tree | null, isSingle: boolean): boolean {
  if (made === null) return false;
  if (made.type === "ObjectExpression") return true;
  if (made.type === "ArrayExpression") return made.elements?.length === 1 && made.elements[0]?.type !== "SpreadElement";
  const { root, steps } = chainOf(made);
  const names = steps.map((step) => (step.kind === "member" ? step.name : "()"));
  const path = [root.name, ...names].join(".");
  if (/^\$input\.(first\.\(\)|last\.\(\)|item)(\.json)?$/.test(path)) return true;
  return isSingle && /^(items|\$input\.all\.\(\))(\.map\.\(\))?$/.test(path);
}
