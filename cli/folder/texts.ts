// Flow texts as commands use them: parsed with readable problems, compared, and merged.
import type { FlowDocument } from "#lib/flow-text/flow-document.ts";
import { type FlowConflict, mergeFlows } from "#lib/flow-text/merge-flows.ts";
import { readFlowText, type TextProblem } from "#lib/flow-text/read-flow-text.ts";
import { writeFlowText } from "#lib/flow-text/write-flow-text.ts";
import { storedTrigger } from "#lib/flows/definition.ts";
import { nodeTypes } from "#lib/nodes/registry.ts";
import { Failure } from "../failure.ts";

/** A parsed text, or its problem. */
export type ReadText =
  | { readonly document: FlowDocument; readonly problems?: undefined }
  | { readonly problems: readonly TextProblem[]; readonly document?: undefined };

/** Parses a text. For one with merge conflict markers, reports only those. */
export function readText(text: string): ReturnType<typeof readFlowText> {
  const at = /^(?:<{7} |={7}$|>{7} )/m.exec(text)?.index;
  if (at === undefined) return readFlowText(text);
  const line = text.slice(0, at).split("\n").length;
  const message =
    "has the conflict of a merge in it: choose one side, and delete the lines with <<<<<<<, ======= and >>>>>>>";
  return { problems: [{ line, column: 1, path: "", message }] };
}

/** The flow of a text that must be valid. `where`: its file. Throws Failure. */
export function documentOf(text: string, where: string): FlowDocument {
  const { document, problems } = readText(text);
  if (document !== undefined) return document;
  const [first] = problems;
  const { line, column, message, path } = first ?? { line: 1, column: 1, message: "cannot be read", path: "" };
  const rest = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
  const problem = path === "" ? message : `${path}: ${message}`;
  throw new Failure("usage", `${where}:${line}:${column}: ${problem}${rest}`, { problems });
}

/** A flow's canonical text, with the server's defaults: two flows are equal if these are. */
export function canonical(document: FlowDocument): string {
  return writeFlowText(withDefaults(document));
}

/** A document as the server stores it: with the defaults that it adds, and without the ones that it leaves out. */
function withDefaults({ flow, tests = [], ...document }: FlowDocument): FlowDocument {
  const { variables = {}, tags = [], ...own } = flow;
  const hasVariables = Object.keys(variables).length > 0;
  return {
    ...document,
    flow: {
      ...own,
      ...(tags.length > 0 && { tags }),
      trigger: storedTrigger(flow.trigger),
      ...(hasVariables && { variables }),
    },
    ...(tests.length > 0 && { tests: tests.map(({ deep, ...test }) => (deep === true ? { ...test, deep } : test)) }),
  };
}

/** A flow text in canonical form; null if it is not a flow. */
export function canonicalText(text: string): string | null {
  const { document } = readText(text);
  return document === undefined ? null : canonical(document);
}

/**
 * A document as the server stores it beside another one: with its defaults; tests without a time get that of the same
 * test, which the server adds; and they have the same order, because the server lists a new test last. None of this is a
 * change.
 */
export function asStored(given: FlowDocument, other: FlowDocument): FlowDocument {
  const document = withDefaults(given);
  const { tests } = document;
  if (tests === undefined || other.tests === undefined) return document;
  const left = Map.groupBy(other.tests.entries(), ([, { name }]) => name);
  const placed = tests.map((test) => {
    const stored = left.get(test.name)?.shift();
    const now = test.now ?? stored?.[1].now;
    return { place: stored?.[0] ?? Number.MAX_SAFE_INTEGER, test: now === undefined ? test : { ...test, now } };
  });
  return { ...document, tests: placed.toSorted((a, b) => a.place - b.place).map(({ test }) => test) };
}

export interface MergedText {
  readonly document: FlowDocument;
  readonly text: string;
  readonly conflicts: readonly FlowConflict[];
}

/**
 * Merges flows by meaning. `previous`: the text whose comments are kept. Conflicts are written between git's markers; the
 * text is not a flow until they are resolved.
 */
export function mergeTexts(
  base: FlowDocument,
  ours: FlowDocument,
  theirs: FlowDocument,
  { previous, names = ["ours", "theirs"] }: { readonly previous?: string; readonly names?: readonly [string, string] },
): MergedText {
  const { traits } = nodeTypes;
  const options = previous === undefined ? {} : { previous };
  const { merged, conflicts } = mergeFlows(base, ours, theirs, traits);
  const text = writeFlowText(merged, options);
  if (conflicts.length === 0) return { document: merged, text, conflicts };
  const other = mergeFlows(base, theirs, ours, traits).merged;
  return { document: merged, text: withMarks(text, writeFlowText(other, options), names), conflicts };
}

/** Both texts in one, with differing lines between markers. */
export function withMarks(ours: string, theirs: string, [our, their]: readonly [string, string]): string {
  const [a, b] = [ours.split("\n"), theirs.split("\n")];
  const lines: string[] = [];
  let [i, j] = [0, 0];
  for (const [nextA, nextB] of [...commonLines(a, b), [a.length, b.length] as const]) {
    if (nextA > i || nextB > j) {
      lines.push(`<<<<<<< ${our}`, ...a.slice(i, nextA), "=======", ...b.slice(j, nextB), `>>>>>>> ${their}`);
    }
    if (nextA < a.length) lines.push(a[nextA] ?? "");
    [i, j] = [nextA + 1, nextB + 1];
  }
  return lines.join("\n");
}

/** Compares lines exactly; for large differences, finds only the common start and end. */
const comparedMax = 4_000_000;

/** The positions of a longest common subsequence of lines. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [rows, columns] = [a.length - start - end, b.length - start - end];
  const before = Array.from({ length: start }, (_, index) => [index, index] as const);
  const after = Array.from({ length: end }, (_, index) => [a.length - end + index, b.length - end + index] as const);
  if (rows * columns > comparedMax) return [...before, ...after];
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i -= 1) {
    for (let j = columns - 1; j >= 0; j -= 1) {
      const isSame = a[start + i] === b[start + j];
      longest[i * width + j] = isSame
        ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
        : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const middle: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < rows && j < columns; ) {
    if (a[start + i] === b[start + j]) {
      middle.push([start + i, start + j]);
      [i, j] = [i + 1, j + 1];
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return [...before, ...middle, ...after];
}
