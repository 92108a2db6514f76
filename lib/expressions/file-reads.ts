import { childrenOf, type Tree } from "./tree.ts";

/**
 * A call such as `$file.text(ref)`: the file is read before the expression is evaluated, and its content is found under
 * `key`.
 */
export interface FileRead {
  readonly key: string;
  readonly method: FileMethod;
  /** The source of the expression that names the file. */
  readonly argument: string;
}

const methods = ["text", "json", "base64"] as const;
export type FileMethod = (typeof methods)[number];

/** `$file` is used in any other way than `$file.text(ref)`. */
export class NoFileRead extends Error {
  readonly position: number;
  constructor(position: number) {
    super("$file is read by $file.text(ref), $file.json(ref) or $file.base64(ref), and not within one another");
    this.position = position;
  }
}

/**
 * The calls that read files, and the source with lookups in their place. Null if there are none. Throws NoFileRead.
 * `offset`: where the source begins in the text that the tree was parsed from.
 */
export function findFileReads(
  source: string,
  root: unknown,
  offset: number,
): { reads: FileRead[]; source: string } | null {
  const reads = new Map<string, FileRead>();
  let rewritten = "";
  let from = 0;
  let [mentions, calls] = [0, 0];
  let first = 0;
  const visit = (node: Tree): void => {
    if (node.type === "Identifier" && node.name === "$file") {
      if (mentions === 0) first = node.start - offset;
      mentions += 1;
    }
    const method = methodOf(node);
    const [argument] = node.arguments ?? [];
    if (method !== undefined && argument !== undefined) {
      const text = source.slice(argument.start - offset, argument.end - offset);
      if (/\$file\b/.test(text)) throw new NoFileRead(argument.start - offset);
      const key = `${method}(${text})`;
      reads.set(key, { key, method, argument: text });
      rewritten += `${source.slice(from, node.start - offset)}$file[${JSON.stringify(key)}]`;
      from = node.end - offset;
      calls += 1;
      mentions += 1;
      return;
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(root as Tree);
  if (mentions === 0) return null;
  if (mentions > calls) throw new NoFileRead(first);
  return { reads: [...reads.values()], source: rewritten + source.slice(from) };
}

function methodOf({ type, optional, callee, arguments: given }: Tree): FileMethod | undefined {
  if (type !== "CallExpression" || optional === true || given?.length !== 1) return undefined;
  if (callee?.type !== "MemberExpression" || callee.computed === true || callee.optional === true) return undefined;
  if (callee.object?.name !== "$file" || given[0]?.type === "SpreadElement") return undefined;
  return methods.find((method) => method === callee.property?.name);
}
