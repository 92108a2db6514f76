import { z } from "zod";
import type { JsonObject } from "#lib/engine/json.ts";
import { plainHandle } from "#lib/engine/node-types.ts";
import { convert as convertElsewhere } from "#lib/formats/convert.ts";
import {
  type Conversion,
  type ConversionOptions,
  canConvert,
  conversionLimits,
  type Format,
  formats,
  targetsOf,
} from "#lib/formats/formats.ts";
import { jsonBytesInTurns } from "#lib/json/json-bytes.ts";
import { parseJsonInTurns, TooDeep } from "#lib/json/parse-json.ts";
import { writeJsonInTurns } from "#lib/json/write-json.ts";
import { anyField } from "./config-fields.ts";
import { defineNode, levelsMax, type NodeContext, NodeFailure, tooDeep } from "./define.ts";

const { inputBytes } = conversionLimits;

const format = z.enum(formats, `must be one of ${formats.join(", ")}`);

const config = z.object({
  from: format.meta({ title: "From", description: "The format of the value." }),
  to: format.meta({ title: "To", description: "What it becomes." }),
  value: anyField({
    title: "Value",
    description: "What to convert. Default: the input. gzip, zip and xlsx are given as base64.",
  }),
  select: z
    .string("must be a CSS selector")
    .min(1, "must not be empty")
    .max(1_000, "must have at most 1000 characters")
    .optional()
    .meta({ title: "Select", description: "For HTML: the elements to select, as a CSS selector. Default: all." }),
  header: z
    .boolean("must be true or false")
    .optional()
    .default(true)
    .meta({ title: "Header row", description: "For CSV and xlsx: the first row has the names of the fields." }),
  delimiter: z
    .enum([",", ";", "\t", "|"], "must be a comma, a semicolon, a tab or a bar")
    .optional()
    .default(",")
    .meta({ title: "Delimiter", description: "For CSV: the separator between fields." }),
  sheet: z
    .string("must be a sheet's name")
    .min(1, "must not be empty")
    .max(31, "must have at most 31 characters")
    .optional()
    .meta({ title: "Sheet", description: "For xlsx: the sheet's name. Default: the first." }),
});

/** Converts one format to another. */
export const convert = defineNode({
  type: "convert",
  name: "Convert",
  keywords: ["parse", "csv", "xml", "yaml"],
  family: "data",
  icon: "arrows-exchange",
  iconPath: "M7 10h14l-4 -4M17 14h-14l4 4",
  summary: ["{from:text} to {to:text}"],
  description: `Converts \`value\` (the input by default) from one format to another. The output is a value for \`json\`,
otherwise text; \`base64\`, \`gzip\`, \`zip\` and \`xlsx\` are base64.

- \`json\`, \`csv\`, \`xml\`, \`yaml\`, \`zip\` and \`xlsx\` can be converted to each other. Rows are objects keyed by the names in the first row, or
  lists without \`header\`. XML has attributes as \`@name\`. A zip archive is a list of \`{name, text}\` or \`{name, base64}\`.
- \`html\` becomes \`json\` (a list of \`{text, html, attributes}\`, of what \`select\` matches), \`text\`, \`markdown\` or \`html\`;
  \`markdown\` becomes \`html\`.
- \`text\`, \`base64\` and \`gzip\` can be converted to each other, and to \`json\`.

Input that is not in its format, or unpacks to too much, fails the node (\`CONVERSION_FAILED\`).

Example: \`{"from": "csv", "to": "json", "value": "name,age\\\\nAnn,42"}\` gives \`[{"name": "Ann", "age": "42"}]\`.`,
  effect: "none",
  handles: plainHandle,
  takesInput: ({ value }) => value === undefined,
  config,
  example: { from: "csv", to: "json", value: "{{ $trigger.body.text }}", delimiter: ";" },
  problem: impossiblePair,
  run: async ({ value, ...options }, context) => ({
    output: await convertValue(value === undefined ? context.input() : value, options, context),
  }),
});

/** Converts a value in a worker. Throws CONVERSION_FAILED. */
export async function convertValue(
  value: unknown,
  options: ConversionOptions,
  { workspaceId, signal }: Pick<NodeContext, "workspaceId" | "signal">,
): Promise<unknown> {
  const conversion = { options, input: await inputOf(value) };
  const converted = await convertElsewhere(conversion, workspaceId, signal);
  if ("problem" in converted) throw failure(`The ${options.from} cannot be converted: ${converted.problem}`);
  return await parsed(converted.json);
}

function impossiblePair({ from, to }: JsonObject): { path: string; message: string } | null {
  const isKnown = (name: unknown): name is Format => formats.some((known) => known === name);
  if (!isKnown(from) || !isKnown(to) || canConvert(from, to)) return null;
  return { path: "to", message: `${from} can become ${targetsOf(from).join(", ")}` };
}

async function inputOf(value: unknown): Promise<Conversion["input"]> {
  const bytes = await jsonBytesInTurns(value, inputBytes);
  if (bytes > inputBytes) throw failure(`The value has more than ${inputBytes} bytes`);
  if (typeof value === "string") return { text: value };
  try {
    return { json: await writeJsonInTurns(value ?? null, bytes, levelsMax) };
  } catch (error) {
    throw error instanceof TooDeep ? tooDeep("config") : error;
  }
}

async function parsed(json: string): Promise<unknown> {
  try {
    return await parseJsonInTurns(json, levelsMax);
  } catch (error) {
    throw error instanceof TooDeep ? tooDeep("output") : error;
  }
}

function failure(message: string): NodeFailure {
  return new NodeFailure("CONVERSION_FAILED", message, { field: "value" });
}
