import { z } from "zod";
import { flowTestDocument } from "#lib/contract/flows/flow-test-document.ts";
import { flowLimits, flowSettings, flowTags, triggerTypes } from "#lib/engine/flow.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";

/** What the schema needs of a node type. */
interface NodeManifest {
  readonly type: string;
  readonly description: string;
  readonly configSchema: JsonObject;
}

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const mapOf = (value: JsonObject): JsonObject => ({ type: "object", additionalProperties: value });
const closed = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...(required.length === 0 ? {} : { required }),
});
const free: JsonObject = { type: "object", additionalProperties: true };

/** One form per value, so that editors report precise problems. */
function when(condition: JsonObject, then: JsonObject, otherwise: JsonObject = {}): JsonObject {
  return { if: condition, then, else: otherwise };
}

/** A JSON Schema (2020-12) of a flow's text, for editors: built from the schemas that validate flows. */
export function flowTextSchema(nodeTypes: readonly NodeManifest[]): JsonObject {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A flow as text",
    ...closed(
      {
        version: { description: "Version of the text's form", type: ["string", "number"] },
        name: { type: "string", minLength: 1, maxLength: flowLimits.nameCharactersMax },
        description: { type: ["string", "null"], maxLength: flowLimits.descriptionCharactersMax },
        tags: plain(flowTags),
        trigger: closed({ type: { enum: [...triggerTypes] }, config: free, next: ref("next") }, ["type"]),
        nodes: when({ type: "array" }, { items: free }, mapOf(ref("node"))),
        edges: { description: "Beside a list of nodes only", type: "array", items: free },
        variables: free,
        settings: plain(flowSettings),
        tests: { type: "array", items: plain(flowTestDocument) },
        layout: closed({ cards: ref("cards"), loops: ref("loops"), canvas: free }),
      },
      ["version", "name", "trigger"],
    ),
    $defs: {
      node: nodeSchema(nodeTypes),
      next: {
        description: "Where it leads: a node's id, a list of them, or both by the handle that it leaves by",
        anyOf: [ref("targets"), mapOf(ref("targets"))],
      },
      targets: { anyOf: [ref("id"), { type: "array", items: { anyOf: [ref("id"), ref("edge")] } }] },
      edge: closed(
        {
          to: ref("id"),
          handle: ref("id"),
          label: { type: "string" },
          targetHandle: ref("id"),
          id: { type: "string" },
        },
        ["to"],
      ),
      id: { type: ["string", "number", "boolean"] },
      cards: mapOf({ type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 }),
      loops: mapOf(closed({ cards: ref("cards"), loops: ref("loops") })),
      template: { type: "string", pattern: "\\{\\{" },
    },
  };
}

function nodeSchema(nodeTypes: readonly NodeManifest[]): JsonObject {
  return {
    ...closed(
      {
        type: { anyOf: nodeTypes.map(({ type, description }) => ({ const: type, description })) },
        name: { description: "What people call it; its id by default", type: "string" },
        disabled: { type: "boolean" },
        config: { type: "object" },
        body: closed({ next: ref("next"), nodes: mapOf(ref("node")) }),
        next: ref("next"),
        inputs: {
          description: "Ids of the nodes before it, in the order of its inputs",
          type: "array",
          items: ref("id"),
        },
      },
      ["type"],
    ),
    allOf: nodeTypes.map(({ type, configSchema }) =>
      when(
        { properties: { type: { const: type } }, required: ["type"] },
        { properties: { config: settingsOf(configSchema) } },
      ),
    ),
  };
}

/** A config's schema. A body may be beside the config, so it is not required here. */
function settingsOf(schema: JsonObject): Json {
  const { $schema: _, required, ...own } = schema;
  const others = Array.isArray(required) ? required.filter((field) => field !== "body") : [];
  const rebuilt: JsonObject = { ...own, ...(others.length === 0 ? {} : { required: others }) };
  return { ...rebuilt, ...withTemplates(rebuilt) };
}

/** Any value in a config may be a template. */
function withTemplates(schema: JsonObject): JsonObject {
  const changed: JsonObject = { ...schema };
  if (isJsonObject(schema.properties)) {
    changed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [key, orTemplate(value)]),
    );
  }
  if (isJsonObject(schema.items)) changed.items = orTemplate(schema.items);
  return changed;
}

function orTemplate(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  const { title, description, ...own } = withTemplates(schema);
  const meta: JsonObject = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
  return { ...meta, anyOf: [own, ref("template")] };
}

/** Closed: an unknown key is a typo. */
function plain(schema: z.ZodType): JsonObject {
  const { $schema: _, ...own } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties ??= false;
    },
  });
  return own as JsonObject;
}
