import { isJsonObject, type Json } from "#lib/engine/json.ts";

/** One widget for each kind. */
export type FieldKind =
  | "text"
  | "plain"
  | "program"
  | "code"
  | "number"
  | "duration"
  | "moment"
  | "boolean"
  | "choice"
  | "values"
  | "map"
  | "list"
  | "object"
  | "credential"
  | "flow"
  | "cron"
  | "zone"
  | "json";

/** A field of a form, read from its JSON Schema. */
export interface FieldSpec {
  readonly name: string;
  readonly kind: FieldKind;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly default: Json | undefined;
  /** What an empty field of text or code shows; `""` for nothing, and for a program's default. */
  readonly example: string;
  /** For any value: edited as JSON unless the user chooses text. */
  readonly isData: boolean;
  /** For a program: whether it is a condition. */
  readonly decides: boolean;
  /** A choice's options. */
  readonly options: readonly string[];
  /** The options' labels; `""` labels "not set". */
  readonly labels: Readonly<Record<string, string>>;
  /** For a number: whether it has no decimals. */
  readonly isWhole: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** For an object: its fields. */
  readonly fields: readonly FieldSpec[];
  /** For a list, or for plain values: its items' field. */
  readonly item: FieldSpec | null;
}

/** The fields of an object's JSON Schema, in order. Anything but an object schema has none. */
export function readFields(schema: unknown): FieldSpec[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, field]) => readField(name, field, required.includes(name)));
}

function readField(name: string, schema: unknown, required = false): FieldSpec {
  const given = isJsonObject(schema) ? schema : {};
  const text = (key: string) => (typeof given[key] === "string" ? given[key] : "");
  const number = (key: string) => (typeof given[key] === "number" ? given[key] : undefined);
  const kind = kindOf(given);
  return {
    name,
    kind,
    title: text("title") || name,
    description: text("description"),
    required,
    default: given.default,
    example: Array.isArray(given.examples) ? asText(given.examples[0]) : "",
    isData: given.format === "json",
    decides: given.decides === true,
    options: Array.isArray(given.enum) ? given.enum.filter((option) => typeof option === "string") : [],
    labels: Object.fromEntries(Object.entries(isJsonObject(given.labels) ? given.labels : {}).map(asLabel)),
    isWhole: given.type === "integer",
    minimum: number("minimum"),
    maximum: number("maximum"),
    fields: kind === "object" ? readFields(given) : [],
    item: kind === "list" || kind === "values" ? readField("item", given.items) : null,
  };
}

const formats: Readonly<Record<string, FieldKind>> = {
  expression: "program",
  code: "code",
  plain: "plain",
  credential: "credential",
  flow: "flow",
  duration: "duration",
  "date-time": "moment",
  cron: "cron",
  "time-zone": "zone",
  json: "json",
};

const asLabel = ([option, label]: [string, Json]): [string, string] => [option, asText(label)];

function kindOf(schema: Readonly<Record<string, Json>>): FieldKind {
  const { type, format } = schema;
  if (typeof format === "string" && Object.hasOwn(formats, format)) return formats[format] ?? "text";
  if (Array.isArray(schema.enum)) return "choice";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  if (type === "object")
    return isJsonObject(schema.properties) ? "object" : isJsonObject(schema.additionalProperties) ? "map" : "json";
  if (type === "array") return isListed(schema.items) ? "list" : isValue(schema.items) ? "values" : "json";
  return "json";
}

/** Lists whose items a form can show one by one. */
function isListed(items: unknown): boolean {
  return isJsonObject(items) && isJsonObject(items.properties);
}

/** Lists of plain text or numbers. */
function isValue(items: unknown): boolean {
  return isJsonObject(items) && ["string", "number", "integer"].includes(String(items.type));
}

/** A value as text for a field. */
export function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * A message as it stands below its own field or node: messages are written to follow a name ("is required"), which is
 * not repeated there ("Required").
 */
export function problemText(message: string): string {
  if (message.startsWith("is required")) return `Required${message.slice("is required".length)}`;
  // A name at the beginning, such as `apiKey` or `items[0]`, stays as it is.
  return /^[a-z]+ /.test(message) ? message.charAt(0).toUpperCase() + message.slice(1) : message;
}
