import { between, formatted, moved, startOf } from "../expressions/dates.ts";
import { asCode, codeOf, type Part, type Value } from "../expressions/read-value.ts";
import type { Parameters } from "../parameters.ts";
import { keyOf, NotConverted, own, pathIn, restoredItem } from "../source.ts";
import { type Around, type Converter, map, perItem } from "./convert-node.ts";

/** Fields by name; names with dots are nested. */
type Fields = Map<string, string | Fields>;

function put(fields: Fields, path: readonly string[], js: string): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) fields.set(name, js);
  else {
    const found = fields.get(name);
    const inside = found instanceof Map ? found : new Map();
    fields.set(name, inside);
    put(inside, rest, js);
  }
}

/** Code for an object with these fields in addition to those of `base`. */
function objectOf(fields: Fields, base: string | null): string {
  const members = [...fields].map(([name, value]) => {
    const key = keyOf(name);
    if (typeof value === "string") return `${key}: ${value}`;
    return `${key}: ${objectOf(value, base === null ? null : pathIn(base, name))}`;
  });
  return `({ ${[...(base === null ? [] : [`...${base}`]), ...members].join(", ")} })`;
}

/** Functions that give a computed value its type. */
const conversions: Readonly<Record<string, string>> = {
  asText: '(one) => (one == null ? null : typeof one === "object" ? JSON.stringify(one) : String(one))',
  asNumber: "(one) => (one == null ? null : Number(one))",
  asTruth:
    '(one) => (one == null ? null : typeof one === "string" ? ["true", "1"].includes(one.toLowerCase()) : Boolean(one))',
  asData: '(one) => (typeof one === "string" ? JSON.parse(one) : one)',
};
const conversionsTo: Readonly<Record<string, string>> = {
  string: "asText",
  number: "asNumber",
  boolean: "asTruth",
  object: "asData",
  array: "asData",
};

/** Converts a value to its chosen type: literal text now, computed text by one of the conversions. */
function typed(value: Value, type: string): string {
  const code = asCode(value);
  if (!("given" in value)) {
    // Text with expressions in it is a text already.
    const convert = value.parts.length > 1 && type === "string" ? undefined : own(conversionsTo, type);
    return convert === undefined ? code : `${convert}(${code})`;
  }
  const { given } = value;
  if (type === "string" && typeof given === "object" && given !== null) return codeOf(JSON.stringify(given));
  if (typeof given !== "string") return type === "string" && given != null ? codeOf(String(given)) : code;
  if (type === "number") return codeOf(given.trim() === "" ? null : Number(given));
  if (type === "boolean") return codeOf(given === "true");
  if (type === "object" || type === "array" || type === "json") return parsed(given);
  return code;
}

function parsed(text: string): string {
  try {
    return codeOf(JSON.parse(text));
  } catch {
    throw new NotConverted("a value that is not JSON");
  }
}

const valueNames: Readonly<Record<string, string>> = {
  stringValue: "string",
  numberValue: "number",
  booleanValue: "boolean",
  arrayValue: "array",
  objectValue: "object",
};

function assignments(parameters: Parameters): { name: string; js: string }[] {
  const now = parameters.entries("assignments.assignments").map((entry) => ({
    name: entry.text("name"),
    js: typed(entry.value("value"), entry.text("type", "string")),
  }));
  const before = parameters.entries("fields.values").map((entry) => {
    const type = entry.text("type", "stringValue");
    return { name: entry.text("name"), js: typed(entry.value(type), own(valueNames, type) ?? "string") };
  });
  const first = ["string", "number", "boolean"].flatMap((type) =>
    parameters.entries(`values.${type}`).map((entry) => ({
      name: entry.text("name"),
      js: typed(entry.value("value"), type === "number" ? type : "any"),
    })),
  );
  return [...now, ...before, ...first].filter(({ name }) => name !== "");
}

/** The item's fields that are kept in addition to the new ones; null for none. */
function pinnedFields({ node, parameters, reading }: Around): string | null {
  const item = restoredItem(reading.item);
  if (node.version < 3) return parameters.flag("keepOnlySet") ? null : item;
  const include = parameters.text(
    "include",
    node.version < 3.3 || parameters.flag("includeOtherFields") ? "all" : "none",
  );
  if (include === "none" || (node.version >= 3.3 && !parameters.flag("includeOtherFields"))) return null;
  const isExcept = include === "except";
  if (include !== "selected" && !isExcept) return item;
  const fields = parameters.fields(isExcept ? "excludeFields" : "includeFields");
  if (fields.some((name) => name.includes(".")) && parameters.flag("options.dotNotation", true)) {
    if (isExcept) throw new NotConverted("a field inside another that is left out");
    const found: Fields = new Map(fields.map((name) => [name.slice(name.lastIndexOf(".") + 1), pathIn(item, name)]));
    return objectOf(found, null);
  }
  const names = codeOf(fields);
  return `Object.fromEntries(Object.entries(${item}).filter(([name]) => ${isExcept ? "!" : ""}${names}.includes(name)))`;
}

/** Objects in JSON text are written as JSON. */
const asJsonPart = (part: Part): Part =>
  typeof part === "string"
    ? part
    : { ...part, js: `((one) => (typeof one === "object" ? JSON.stringify(one) : one))(${part.js})` };

const setOptions = ["dotNotation", "ignoreConversionErrors", "includeBinary", "stripBinary"];

const set = map((context) => {
  const { parameters } = context;
  parameters.reportOthers("options", setOptions);
  if (parameters.flag("duplicateItem")) context.gap("It makes one item of each, without duplicates.");
  const base = pinnedFields(context);
  if (parameters.text("mode", "manual") === "raw") {
    const value = parameters.value("jsonOutput");
    const made =
      "given" in value
        ? typeof value.given === "string"
          ? parsed(value.given)
          : codeOf(value.given)
        : `(${conversions.asData})(${asCode({ parts: value.parts.map(value.parts.length > 1 ? asJsonPart : (part) => part) })})`;
    return base === null ? made : `({ ...${base}, ...${made} })`;
  }
  const fields: Fields = new Map();
  const hasDots = parameters.flag("options.dotNotation", true);
  const assigned = assignments(parameters);
  if (hasDots && assigned.some(({ name }) => name.includes("["))) throw new NotConverted("a field within a list");
  for (const { name, js } of assigned) put(fields, hasDots ? name.split(".") : [name], js);
  const used = Object.keys(conversions).filter((name) => assigned.some(({ js }) => js.startsWith(`${name}(`)));
  const made = objectOf(fields, base);
  if (used.length === 0) return made;
  return `((${used.join(", ")}) => ${made})(${used.map((name) => conversions[name]).join(", ")})`;
});

const renameKeys = map(({ parameters, reading }) => {
  if (parameters.has("additionalOptions.regexReplacement")) throw new NotConverted("renaming by a pattern");
  const names = parameters.entries("keys.key").map((entry) => [entry.text("currentKey"), entry.text("newKey")]);
  if (names.some(([name = ""]) => name.includes("."))) throw new NotConverted("renaming of a field inside another");
  return `((names) => Object.fromEntries(Object.entries(${restoredItem(reading.item)}).map(([name, value]) => [names.get(name) ?? name, value])))(new Map(${codeOf(names)}))`;
});

/** Formats that the node offers separately. */
const dateFormats: Readonly<Record<string, string>> = { X: "seconds", x: "milliseconds" };

function dateOf(parameters: Parameters, path: string): string {
  return `new Date(${parameters.code(path)})`;
}

const dateTime = map(({ node, parameters, reading }) => {
  if (node.version < 2) throw new NotConverted("the first version of this node");
  reading.note("time");
  parameters.reportOthers("options", ["includeInputFields"]);
  const operation = parameters.text("operation", "getCurrentDate");
  const isIncluding = parameters.flag("options.includeInputFields") || parameters.flag("includeInputFields");
  const put = (name: string, js: string) =>
    `({ ${isIncluding ? `...${restoredItem(reading.item)}, ` : ""}${keyOf(parameters.text("outputFieldName", name))}: ${js} })`;
  const iso = (date: string) => `${date}.toISOString()`;
  if (operation === "getCurrentDate") {
    return put("currentDate", iso(parameters.flag("includeTime", true) ? "new Date()" : startOf("new Date()", "day")));
  }
  if (operation === "formatDate") {
    const chosen = parameters.text("format", "MM/dd/yyyy");
    const format = chosen === "custom" ? parameters.text("customFormat") : chosen;
    const unit = own(dateFormats, format);
    const date = dateOf(parameters, "date");
    if (unit !== undefined)
      return put("formattedDate", unit === "seconds" ? `Math.floor(${date}.getTime() / 1000)` : `${date}.getTime()`);
    return put("formattedDate", formatted(date, format));
  }
  if (operation === "addToDate" || operation === "subtractFromDate") {
    const sign = operation === "addToDate" ? "+" : "-";
    const unit = parameters.text("timeUnit", "days");
    return put(
      "newDate",
      iso(
        moved(
          dateOf(parameters, "magnitude"),
          sign,
          parameters.has("duration") ? parameters.code("duration") : "0",
          unit,
        ),
      ),
    );
  }
  if (operation === "getTimeBetweenDates") {
    const units = parameters.at("units");
    const [unit, ...more] = Array.isArray(units) ? units : ["day"];
    if (typeof unit !== "string" || more.length > 0) throw new NotConverted("a time between dates in several units");
    const name = JSON.stringify(`${unit.replace(/s$/, "")}s`);
    return put(
      "timeDifference",
      `({ [${name}]: ${between(parameters.code("startDate"), parameters.code("endDate"), unit)} })`,
    );
  }
  if (operation === "roundDate" && parameters.text("mode", "roundDown") === "roundDown") {
    return put("roundedDate", iso(startOf(dateOf(parameters, "date"), parameters.text("toNearest", "month"))));
  }
  throw new NotConverted(`the operation “${operation}”`);
});

const digests: Readonly<Record<string, string>> = {
  MD5: "md5",
  SHA1: "sha1",
  SHA256: "sha256",
  SHA384: "sha384",
  SHA512: "sha512",
};

const crypto = perItem(({ parameters, reading, credential, gap }) => {
  const action = parameters.text("action", "hash");
  const name = parameters.text("dataPropertyName", "data");
  if (parameters.flag("binaryData")) throw new NotConverted("the hash of a file");
  const json = (output: string) => `({ ...${restoredItem(reading.item)}, ${keyOf(name)}: ${output} })`;
  const encoding = parameters.text("encoding", "hex");
  if (action === "generate") {
    const type = parameters.text("encodingType", "uuid");
    if (type === "uuid") return { type: "crypto", config: { action: "uuid" }, json };
    if (type === "ascii") throw new NotConverted("random characters of ASCII");
    const length = Math.round(parameters.number("stringLength", 1, 1_024, 32));
    const cut = (output: string) => json(`${output}.slice(0, ${length})`);
    return {
      type: "crypto",
      config: { action: "random", length, encoding: type === "base64" ? "base64url" : "hex" },
      json: cut,
    };
  }
  const algorithm = own(digests, parameters.text("type", "MD5"));
  if ((action !== "hash" && action !== "hmac") || algorithm === undefined) {
    throw new NotConverted(`the action “${action}” with “${parameters.text("type")}”`);
  }
  const config = { action, algorithm, encoding, value: parameters.template("value") as string };
  if (action === "hash") return { type: "crypto", config, json };
  const named = credential("secret") ?? "hmacSecret";
  if (named === "hmacSecret")
    gap(
      "Keys come from credentials here. Create one of type secret called “hmacSecret”, with the secret from the node.",
    );
  return { type: "crypto", config: { ...config, credential: named }, json };
});

const html = map(({ parameters }) => {
  const operation = parameters.text("operation", "generateHtmlTemplate");
  if (operation !== "generateHtmlTemplate") throw new NotConverted(`the operation “${operation}”`);
  return `({ html: ${asCode(parameters.expressions("html"))} })`;
});

const noOp = map(({ reading }) => restoredItem(reading.item));

export const dataNodes: Readonly<Record<string, Converter>> = {
  set,
  renameKeys,
  dateTime,
  crypto,
  html,
  htmlTemplate: html,
  noOp,
};
