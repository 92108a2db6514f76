import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { projectDirectory } from "../../scripts/places.mjs";

const declaring = new Set(["describe", "it", "test"]);
const known = new Map<string, ReadonlySet<string>>();

/** Whether there is such a test: `flows-list > filters > status is exact`. */
export function isTest(name: string): boolean {
  const [file = "", ...titles] = name.split(" > ");
  const path = file.endsWith(".test.ts") ? file : `e2e/api/${file}.test.ts`;
  const titlesOfFile = known.get(path) ?? titlesIn(join(projectDirectory, path));
  known.set(path, titlesOfFile);
  return titlesOfFile.has(titles.join(" > "));
}

/** The titles of a file's tests, each after those of what it stands in; a pattern's title as it is written. */
function titlesIn(path: string): ReadonlySet<string> {
  const titles = new Set<string>();
  if (!existsSync(path)) return titles;
  const visit = (node: ts.Node, above: readonly string[]): void => {
    const title = titleOf(node);
    const here = title === undefined ? above : [...above, title.text];
    if (title?.isTest) titles.add(here.join(" > "));
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true), []);
  return titles;
}

/** The title of `it("…")`, `test.each(…)("…")`, `describe.skipIf(…)("…")` and their like; undefined for all else. */
function titleOf(node: ts.Node): { text: string; isTest: boolean } | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [title] = node.arguments;
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined;
  let called: ts.Expression = node.expression;
  while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) called = called.expression;
  if (!ts.isIdentifier(called) || !declaring.has(called.text)) return undefined;
  return { text: title.text, isTest: called.text !== "describe" };
}
