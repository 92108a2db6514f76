import type { Expression as AnyNode, CallExpression, SpreadElement } from "acorn";
import { type Criterion, compileComparator, inOrder, type Key } from "./simple-comparator.ts";
import { type Place, refuse } from "./simple-place.ts";
import type { Evaluate, SimpleRun } from "./simple-program.ts";
import { missing, primitive, unsure } from "./simple-values.ts";

/** Methods that give a new list, which only what follows them in the expression has. */
const makers = new Set([
  ...["map", "filter", "flatMap", "slice", "concat", "flat", "toReversed", "toSorted", "split", "sort", "reverse"],
]);

/** Whether a list is made on the spot, so that nobody sees it change. */
export function isMadeHere(node: AnyNode | SpreadElement | { type: "Super" }): boolean {
  if (node.type === "ArrayExpression") return true;
  if (node.type === "ChainExpression") return isMadeHere(node.expression);
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object, property } = node.callee;
  if (property.type !== "Identifier" || node.callee.computed) return false;
  if (object.type === "Identifier" && object.name === "Object") return property.name !== "fromEntries";
  return makers.has(property.name);
}

/** `sort` and `toSorted`: as texts, or by a comparator of which it is certain that it puts things in one order only. */
export function compileSort(of: Evaluate, node: CallExpression, place: Place): Evaluate {
  const [comparator, more] = node.arguments;
  if (more !== undefined || comparator?.type === "SpreadElement") return refuse();
  const by = comparator === undefined ? asTexts : compileComparator(comparator, place);
  return (run) => {
    const list = of(run);
    if (list === missing) return missing;
    if (!Array.isArray(list)) throw unsure;
    return sorted(run, list, by);
  };
}

const asTexts: readonly Criterion[] = [
  {
    cost: 1,
    key: (run, item) => {
      const key = String(primitive(item));
      run.spendOnText(key, 3);
      return key;
    },
    isDescending: false,
    mayTie: true,
  },
];

interface Row {
  readonly item: unknown;
  readonly keys: readonly Key[];
}

function sorted(run: SimpleRun, list: readonly unknown[], by: readonly Criterion[]): unknown[] {
  // Nothing is compared, so that a comparator that would fail does not.
  if (list.length < 2) return run.keep(list.slice());
  const comparisons = Math.ceil(Math.log2(list.length)) * by.length;
  run.spend(list.length * (comparisons * 2 + by.reduce((sum, { cost }) => sum + cost + 4, 0)));
  const rows = list.map((item): Row => {
    // What is undefined is never compared, and comes last.
    if (item === undefined) throw unsure;
    return { item, keys: by.map(({ key }) => key(run, item)) };
  });
  for (const index of by.keys()) payForTexts(run, rows, index, comparisons);
  return rows.sort((one, other) => inOrder(one.keys, other.keys, by)).map(({ item }) => item);
}

/** All of a kind, or there is no telling which comes first; and texts that begin alike take time to compare. */
function payForTexts(run: SimpleRun, rows: readonly Row[], index: number, comparisons: number): void {
  const kind = typeof rows[0]?.keys[index];
  for (const { keys } of rows) {
    const key = keys[index];
    if (typeof key !== kind) throw unsure;
    if (typeof key === "string") run.spend((key.length >> 4) * comparisons);
  }
}
