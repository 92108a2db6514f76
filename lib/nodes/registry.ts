import { z } from "zod";
import type { FlowNode } from "#lib/engine/flow.ts";
import { issueMessage, withFieldTitles } from "#lib/engine/issue-message.ts";
import { formatPath, type JsonObject } from "#lib/engine/json.ts";
import { type HandleSpec, handlesOf, type NodeTypes } from "#lib/engine/node-types.ts";
import { type ConfigPlan, planConfig, type Reader } from "#lib/expressions/expressions.ts";
import { allNodes } from "./all.ts";
import { choiceMeta, fieldKind } from "./config-fields.ts";
import type { NodeDefinition } from "./define.ts";
import { type UnknownSetting, unknownSettings } from "./unknown-settings.ts";

/** The config fields of every node. */
const commonConfig = z.object({
  onError: z
    .enum(["fail", "continue"], 'must be "fail" or "continue"')
    .optional()
    .meta({
      ...choiceMeta(
        { title: "On error", description: '"continue" turns a failure into the output {error: {message, code}}.' },
        { fail: "Fail the run", continue: "Continue with the error as output" },
      ),
      default: "fail",
    }),
  notes: z
    .string("must be text")
    .optional()
    .meta({ title: "Notes", description: "Notes for people; runs ignore them.", format: "plain" }),
});

/** A node type with its schemas, created on first use: creating them all takes longer than most commands. */
class Entry {
  readonly definition: NodeDefinition;
  #schema: z.ZodObject | undefined;
  #jsonSchema: JsonObject | undefined;

  constructor(definition: NodeDefinition) {
    this.definition = definition;
  }

  get schema(): z.ZodObject {
    this.#schema ??= this.definition.config.extend(commonConfig.shape);
    return this.#schema;
  }

  get jsonSchema(): JsonObject {
    this.#jsonSchema ??= z.toJSONSchema(this.schema, { io: "input", unrepresentable: "any" }) as JsonObject;
    return this.#jsonSchema;
  }
}

const entries = new Map(allNodes.map((definition) => [definition.type, new Entry(definition)]));

/** Undefined for an unknown type. */
export function nodeDefinition(type: string): NodeDefinition | undefined {
  return entries.get(type)?.definition;
}

/** The handle of a plain edge: null, but some types name it, and edges may use the name. */
export function plainHandleOf(type: string): string | null {
  return nodeTypes.traits(type)?.handles.plain ?? null;
}

/** A node's effect outside of its run; for a loop, without its body's. */
export function effectOf({ type, config }: Pick<FlowNode, "type" | "config">): "none" | "read" | "write" {
  return nodeDefinition(type)?.acts?.(config) ?? "none";
}

/** Whether a step of this type is stored as started before it acts, together with everything before it. */
export function isRecordedFirst(type: string): boolean {
  return nodeDefinition(type)?.effect !== "none";
}

/** The schema of a node's whole config, including the common fields. */
export function nodeConfigSchema(type: string): z.ZodObject | undefined {
  return entries.get(type)?.schema;
}

/** A message about a config of this type, with its form's field titles in place of names. */
export function withTitlesOf(type: string, message: string): string {
  return withFieldTitles(message, entries.get(type)?.jsonSchema);
}

/** The types that run a body for each of their items. */
export const typesWithBody: readonly string[] = typesWhere(({ hasBody }) => hasBody === true);

/** The same, and the types that take steps: their items are recorded. */
export const iteratingTypes: readonly string[] = typesWhere(
  ({ hasBody, steps }) => hasBody === true || steps !== undefined,
);

function typesWhere(isMeant: (definition: NodeDefinition) => boolean): string[] {
  return allNodes.filter(isMeant).map(({ type }) => type);
}

/** The node types as the engine sees them. */
export const nodeTypes: NodeTypes = {
  known: () => typesWhere(({ isInternal }) => isInternal !== true),
  traits: nodeDefinition,
  handles: (type, config) => {
    const { handles, isInternal } = entries.get(type)?.definition ?? {};
    return handles === undefined || isInternal === true ? undefined : handlesOf(handles, config);
  },
};

/** Node types without their server-only parts: the answer of `GET /node-types`, which the editor uses. */
export function nodeManifests() {
  const shown = [...entries.values()].filter(({ definition }) => definition.isInternal !== true);
  return shown.map(({ definition, jsonSchema }) => ({
    type: definition.type,
    name: definition.name,
    family: definition.family,
    icon: definition.icon,
    iconPath: definition.iconPath,
    summary: [...(definition.summary ?? [])],
    description: definition.description,
    keywords: [...(definition.keywords ?? [])],
    effect: definition.effect,
    handles: manifestHandles(definition.handles),
    hasBody: definition.hasBody === true,
    hasSteps: definition.steps !== undefined,
    waitsFor: definition.waitsFor ?? null,
    configSchema: jsonSchema,
    example: definition.example,
  }));
}

function manifestHandles({ fixed, labels, ...more }: HandleSpec) {
  const synonyms = Object.entries(labels ?? {}).map(([handle, known]): [string, string[]] => [handle, [...known]]);
  return { ...more, fixed: [...fixed], ...(labels === undefined ? {} : { labels: Object.fromEntries(synonyms) }) };
}

/** A config's templates, parsed by `read`; `code` fields are left to their node. */
export function planNodeConfig(type: string, config: JsonObject, read?: Reader): ConfigPlan {
  const jsonSchema = entries.get(type)?.jsonSchema;
  return planConfig(config, (path) => fieldKind(jsonSchema, path), read);
}

/**
 * Why a config cannot run, before its templates have values: unparsable expressions, and schema violations unless a
 * template will decide. Paths are relative to the config.
 */
export function findConfigProblems(
  type: string,
  config: JsonObject,
  plan: ConfigPlan = planNodeConfig(type, config),
): { path: string; message: string }[] {
  const parsed = nodeConfigSchema(type)?.safeParse(config, { reportInput: true });
  const issues = parsed?.success === false ? parsed.error.issues : [];
  const missing = entries.get(type)?.definition.problem?.(config) ?? null;
  return [
    ...(missing === null ? [] : [missing]),
    ...plan.problems.map(({ path, message, position }) => ({ path, message: `${message} (at ${position})` })),
    ...issues
      .filter((issue) => !isTemplateAt(plan, issue.path))
      .map((issue) => ({ path: formatPath(issue.path), message: issueMessage(issue) })),
  ];
}

/** Settings in a node's config that nothing reads; none for an unknown type. */
export function findUnknownSettings(type: string, config: JsonObject): UnknownSetting[] {
  const jsonSchema = entries.get(type)?.jsonSchema;
  return jsonSchema === undefined ? [] : unknownSettings(jsonSchema, config);
}

/** True if the value at the path, or one that contains it, comes from a template. */
function isTemplateAt(plan: ConfigPlan, path: readonly PropertyKey[]): boolean {
  let tree: ConfigPlan["tree"] | undefined = plan.tree;
  for (const step of path) {
    if (tree === undefined || typeof tree === "number") break;
    tree = tree.get(typeof step === "number" ? step : String(step));
  }
  return typeof tree === "number";
}
