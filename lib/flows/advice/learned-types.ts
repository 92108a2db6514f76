// Advice on what expressions read, by the types learned from runs.
import type { FlowAdvice } from "#lib/contract/flows/checks.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type PathRead, pathsRead } from "#lib/expressions/expressions.ts";
import { typeNamesOf } from "#lib/flows/learned-types/drift.ts";
import {
  type JsonType,
  jsonTypes,
  type Shape,
  seenIn,
  shapeLimits,
} from "#lib/flows/learned-types/learn-from-value.ts";
import type { PlannedNode } from "#lib/flows/plan-nodes.ts";
import { nodeConfigSchema, nodeDefinition } from "#lib/nodes/registry.ts";
import { yieldTurn } from "#lib/platform/turns.ts";
import { type AdvisedFlow, adviceOf } from "./advised-flow.ts";

/** The learned shapes of data that still hold. */
export interface LearnedShapes {
  readonly trigger: Shape | null;
  readonly nodes: ReadonlyMap<string, Shape>;
}

export const noLearned: LearnedShapes = { trigger: null, nodes: new Map() };

/** Fewer values are not enough to judge. */
const seenMin = 10;

/** An expression, with what all its paths share. */
interface Source {
  readonly planned: PlannedNode;
  /** The field of the config. */
  readonly field: string;
  readonly source: string;
  /** Whether each path is tested before it is read, by its text. */
  readonly guarded: Map<string, boolean>;
  /** What looking for such tests may still cost, in characters. */
  readonly search: { left: number };
}

/** A path costs a search of the whole source, and each place where it is read as much as this many characters. */
const searchMax = { characters: 4_194_304, ofPlace: 100 } as const;

/** A path that an expression reads, with the learned shape it starts in. */
interface Reading extends Source {
  readonly path: PathRead;
  readonly shape: Shape;
  /** How many steps of the path lead to the shape. */
  readonly from: number;
}

/** Paths that no run had or some lacked, and values of a type that does not match their use. */
export async function readingTypes(flow: AdvisedFlow, types: LearnedShapes): Promise<FlowAdvice[]> {
  if (types.trigger === null && types.nodes.size === 0) return [];
  const decided = await decisions(flow);
  const found: FlowAdvice[] = [];
  const expressions = flow.planned.flatMap((planned) =>
    [...planned.plan.code, ...planned.plan.expressions].map((part) => ({ planned, ...part })),
  );
  for (const { planned, slot, expression } of expressions) {
    if (!expression.names.some((name) => roots.includes(name))) continue;
    await yieldTurn();
    const search = { left: searchMax.characters };
    const source = { planned, field: slot.path, source: expression.source, guarded: new Map(), search };
    for (const path of pathsRead(expression.source)) {
      await yieldTurn();
      const start = startOf(flow, types, planned, path);
      const advice = start && adviceOnPath({ ...source, path, ...start }, decided);
      if (advice !== null) found.push(advice);
    }
  }
  return found;
}

const roots = ["$trigger", "$nodes", "$node"];

/** The shape that the path starts in; null if unknown. */
function startOf(
  flow: AdvisedFlow,
  { trigger, nodes }: LearnedShapes,
  { node, loops, canRead }: PlannedNode,
  { root, steps }: PathRead,
): { shape: Shape; from: number } | null {
  if (root === "$trigger") return trigger === null ? null : { shape: trigger, from: 0 };
  const isNamed = root === "$nodes";
  const before = isNamed ? steps[0]?.key : loops.length === 0 ? onlyBefore(flow, node.id) : undefined;
  const from = isNamed ? 2 : 1;
  if (typeof before !== "string" || steps[from - 1]?.key !== "output" || !canRead(before)) return null;
  const shape = nodes.get(before);
  return shape === undefined ? null : { shape, from };
}

function onlyBefore(flow: AdvisedFlow, id: string): string | undefined {
  const [edge, another] = flow.incoming.get(id) ?? [];
  return another === undefined && edge?.source !== triggerSource ? edge?.source : undefined;
}

/** The maximum number of steps of a path to check: a shape has no more levels. */
const stepsMax = shapeLimits.depthMax + 2;

/** The paths that the flow's conditions read, as source text: these conditions may test whether the paths exist. */
async function decisions(flow: AdvisedFlow): Promise<ReadonlySet<string>> {
  const deciding = flow.planned.filter(({ node }) => nodeDefinition(node.type)?.decidesBy !== undefined);
  const decided = new Set<string>();
  for (const { expression } of deciding.flatMap(({ plan }) => plan.expressions)) {
    await yieldTurn();
    for (const { steps } of pathsRead(expression.source)) {
      for (const { text } of steps.slice(0, stepsMax)) decided.add(text);
    }
  }
  return decided;
}

function adviceOnPath(reading: Reading, decided: ReadonlySet<string>): FlowAdvice | null {
  const { path, from } = reading;
  let { shape } = reading;
  for (const [index, step] of path.steps.slice(0, stepsMax).entries()) {
    if (index < from) continue;
    const next = path.steps[index + 1];
    const seen = seenIn(shape);
    if (seen < seenMin) return null;
    if (typeof step.key === "number") {
      if (shape.items === null || !hasOnlyTypes(shape, ["array"])) return null;
      shape = shape.items;
      continue;
    }
    if (!hasOnlyTypes(shape, ["object"])) return null;
    const field = shape.fields.get(step.key);
    const isExpected = () => decided.has(step.text) || isGuardedIn(reading, step.text);
    if (field === undefined) {
      if (shape.isCut || shape.others !== null || next?.optional === true || isExpected()) return null;
      const message = `reads ${step.text}, which none of ${seen.toLocaleString("en-US")} values had`;
      return adviceOf(reading.planned, "UNKNOWN_PATH", "warning", message, { field: reading.field });
    }
    const lacking = seen - seenIn(field) + (field.types.null ?? 0);
    if (lacking > 0 && !shape.isCut && next !== undefined && !next.optional && !isExpected()) {
      const message = `reads into ${step.text}, which ${lacking.toLocaleString("en-US")} of ${seen.toLocaleString("en-US")} values lacked: write ?. after it`;
      return adviceOf(reading.planned, "OPTIONAL_PATH", "warning", message, { field: reading.field });
    }
    shape = field;
  }
  return mismatchOf(reading, shape);
}

/** Whether the shape only had these types or null. */
function hasOnlyTypes({ types }: Shape, allowed: readonly JsonType[]): boolean {
  return jsonTypes.every((type) => type === "null" || types[type] === undefined || allowed.includes(type));
}

function isGuardedIn(reading: Source, text: string): boolean {
  const known = reading.guarded.get(text) ?? isGuarded(reading, text);
  reading.guarded.set(text, known);
  return known;
}

/**
 * Whether the read value is tested first, or has a default: `a.b ?? 0`, `a.b && …`, `!a.b`, `typeof a.b`. Presumed if
 * finding out would cost more than is left for the source.
 */
function isGuarded({ source, search }: Source, text: string): boolean {
  if (source.trim() === text) return false;
  search.left -= source.length;
  if (search.left <= 0) return true;
  for (let at = source.indexOf(text); at !== -1 && search.left > 0; at = source.indexOf(text, at + 1)) {
    search.left -= searchMax.ofPlace;
    const after = source.slice(at + text.length, at + text.length + 40);
    const before = source.slice(Math.max(0, at - 12), at);
    if (/^[\w$\])?.]*\s*(\?\?|\|\||&&|[=!]==?|\?(?!\.))/.test(after) || /(!|typeof\s+|\bin\s+|Boolean\()$/.test(before))
      return true;
  }
  return search.left <= 0;
}

/** Methods, with the types that have them. */
const methods: readonly [names: string, types: readonly JsonType[]][] = [
  ["toFixed|toPrecision|toExponential", ["integer", "number"]],
  [
    "map|filter|reduce|reduceRight|forEach|some|every|find|findIndex|findLast|flatMap|flat|join|push|sort|toSorted|toReversed|reverse|splice|toSpliced",
    ["array"],
  ],
  [
    "toUpperCase|toLowerCase|trim|trimStart|trimEnd|split|replace|replaceAll|startsWith|endsWith|padStart|padEnd|charAt|charCodeAt|substring|match|matchAll|localeCompare|normalize",
    ["string"],
  ],
];

function mismatchOf({ planned, field, source, path }: Reading, shape: Shape): FlowAdvice | null {
  if (seenIn(shape) < seenMin || hasOnlyTypes(shape, [])) return null;
  const { text, called } = path;
  const known = methods.find(([names]) => called !== null && names.split("|").includes(called));
  const was = `which was always ${typeNamesOf(shape)}`;
  if (known !== undefined && !known[1].some((type) => shape.types[type] !== undefined)) {
    return adviceOf(planned, "TYPE_MISMATCH", "warning", `calls ${called} on ${text}, ${was}`, { field });
  }
  if (source.trim() !== text || takesType(planned, field, shape)) return null;
  return adviceOf(planned, "TYPE_MISMATCH", "warning", `is ${text}, ${was}: the field needs another type`, { field });
}

const samples: Readonly<Record<JsonType, unknown>> = {
  null: null,
  boolean: true,
  integer: 1,
  number: 1.5,
  string: "a",
  array: [],
  object: {},
};

/** Whether a config field accepts one of the observed types. */
function takesType({ node, plan }: PlannedNode, field: string, { types }: Shape): boolean {
  const definition = nodeDefinition(node.type);
  // Text around an expression turns any value into text.
  const isSingle = plan.slots.some(({ path, template }) => path === field && template.isSingle);
  if (!isSingle || !Object.hasOwn(node.config, field)) return true;
  if (definition?.hasBody === true && field === "items") return types.array !== undefined;
  const schema = nodeConfigSchema(node.type);
  if (schema === undefined) return true;
  const seen = jsonTypes.filter((type) => type !== "null" && types[type] !== undefined);
  return seen.some((type) => {
    const parsed = schema.safeParse({ ...node.config, [field]: samples[type] });
    return (
      parsed.success ||
      !parsed.error.issues.some(({ code, path }) => code === "invalid_type" && path[0] === field && path.length === 1)
    );
  });
}
