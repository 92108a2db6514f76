import { flowLimits } from "#lib/engine/flow.ts";
import { formatPath, isJsonObject, type JsonObject } from "#lib/engine/json.ts";
import { type Expression, ExpressionSyntaxError, readBody } from "./read-expression.ts";
import { isTemplate, parseConditionField, parseProgramField, parseTemplate, type Template } from "./template.ts";

/**
 * How a config's string is read: as text with `{{ }}`, as a whole program, as a condition, as code that only its node
 * evaluates, or literally.
 */
export type FieldKind = "template" | "expression" | "condition" | "code" | "plain";

type Path = readonly (string | number)[];

/** A string in a config that is not plain text. */
export interface Slot {
  readonly path: string;
  readonly template: Template;
}

/** A program that only its node evaluates. */
interface CodeSlot {
  readonly slot: Pick<Slot, "path">;
  readonly expression: Expression;
}

/** A node's prepared config: parsed once per flow version, resolved once per run. */
export interface ConfigPlan {
  readonly config: JsonObject;
  readonly slots: readonly Slot[];
  /** What to evaluate, in the order in which `fillConfig` needs the values. */
  readonly expressions: readonly { readonly slot: Slot; readonly expression: Expression }[];
  /** Programs that only the node itself evaluates. */
  readonly code: readonly CodeSlot[];
  /** All expressions: those of templates, then programs. */
  readonly evaluated: readonly Expression[];
  /** Expressions that cannot be parsed. */
  readonly problems: readonly { readonly path: string; readonly message: string; readonly position: number }[];
  readonly tree: SlotTree;
}

/** Where the slots are: an index into `slots`, or the tree below an object's or array's key. */
export type SlotTree = number | ReadonlyMap<string | number, SlotTree>;

const parseAs = { template: parseTemplate, expression: parseProgramField, condition: parseConditionField };

/** The kinds of text that have to be parsed. */
export type ReadKind = Exclude<FieldKind, "plain">;

/** A parsed text, or why it cannot be parsed. */
export type ReadText =
  | { readonly template: Template }
  | { readonly code: Expression }
  | { readonly problem: { readonly message: string; readonly position: number } };

/** Parses a text as the string of a config field of that kind. */
export function readText(kind: ReadKind, text: string): ReadText {
  try {
    return kind === "code" ? { code: readBody(text) } : { template: parseAs[kind](text) };
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    return { problem: { message: error.message, position: error.position } };
  }
}

/** Null for a text that is left out of the plan. */
export type Reader = (kind: ReadKind, text: string) => ReadText | null;

/**
 * Finds and parses every template of a config. `kindOf` says how the string at a path is read; `read` parses it, for
 * callers that have parsed some already. Stops once there are more problems than a flow may have expressions.
 */
export function planConfig(config: JsonObject, kindOf: (path: Path) => FieldKind, read: Reader = readText): ConfigPlan {
  const slots: Slot[] = [];
  const code: CodeSlot[] = [];
  const problems: { path: string; message: string; position: number }[] = [];

  const visitText = (text: string, at: Path): SlotTree | undefined => {
    const kind = kindOf(at);
    if (kind === "plain" || (kind === "template" && !isTemplate(text))) return undefined;
    if (problems.length > flowLimits.expressionsMax) return undefined;
    const found = read(kind, text);
    if (found === null) return undefined;
    if ("problem" in found) problems.push({ path: formatPath(at), ...found.problem });
    else if ("code" in found) code.push({ slot: { path: formatPath(at) }, expression: found.code });
    else return slots.push({ path: formatPath(at), template: found.template }) - 1;
    return undefined;
  };

  // Nothing is allocated for values without templates: a config may have hundreds of thousands.
  const path: (string | number)[] = [];
  const visit = (value: object): ReadonlyMap<string | number, SlotTree> | undefined => {
    let below: Map<string | number, SlotTree> | undefined;
    const visitChild = (key: string | number, child: unknown) => {
      if (typeof child !== "string" && (typeof child !== "object" || child === null)) return;
      path.push(key);
      const found = typeof child === "string" ? visitText(child, path) : visit(child);
      path.pop();
      if (found === undefined) return;
      below ??= new Map();
      below.set(key, found);
    };
    if (Array.isArray(value)) for (const [index, child] of value.entries()) visitChild(index, child);
    else for (const key of Object.keys(value)) visitChild(key, (value as Readonly<Record<string, unknown>>)[key]);
    return below;
  };

  const tree = visit(config) ?? new Map();
  const expressions = slots.flatMap((slot) =>
    slot.template.segments.flatMap((segment) => (typeof segment === "string" ? [] : [{ slot, expression: segment }])),
  );
  const evaluated = [...expressions, ...code].map(({ expression }) => expression);
  return { config, slots, expressions, code, evaluated, problems, tree };
}

/**
 * The config with every template replaced by its value. The plan's own config is not changed. `written`: the JSON of
 * objects that are parts of texts.
 */
export function fillConfig(
  plan: ConfigPlan,
  values: readonly unknown[],
  written: ReadonlyMap<object, string> = new Map(),
): JsonObject {
  let next = 0;
  const filled = plan.slots.map(({ template }) => {
    const parts = template.segments.map((segment) => (typeof segment === "string" ? segment : values[next++]));
    return template.isSingle ? parts[0] : parts.map((part) => joinedText(part, written)).join("");
  });
  return fill(plan.config, plan.tree, filled) as JsonObject;
}

function fill(value: unknown, tree: SlotTree | undefined, filled: readonly unknown[]): unknown {
  if (tree === undefined) return value;
  if (typeof tree === "number") return filled[tree];
  if (Array.isArray(value)) return value.map((child, index) => fill(child, tree.get(index), filled));
  if (!isJsonObject(value)) return value;
  // fromEntries defines properties, so that a key such as `__proto__` stays data.
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, fill(child, tree.get(key), filled)]));
}

/** A value as part of a text: objects as JSON; null and undefined as empty text. */
function joinedText(value: unknown, written: ReadonlyMap<object, string>): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? (written.get(value) ?? JSON.stringify(value)) : String(value);
}
