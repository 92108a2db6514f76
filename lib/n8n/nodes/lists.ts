import { codeOf } from "../expressions/read-value.ts";
import type { Parameters } from "../parameters.ts";
import { keyOf, NotConverted, own, pathIn } from "../source.ts";
import { type Around, type Converter, list } from "./convert-node.ts";

/** A field of `item`; a name with dots is a path. */
const field = (name: string) => pathIn("item", name);
const last = (name: string) => name.slice(name.lastIndexOf(".") + 1);
const asList = (js: string) => ({ js, shape: "list" as const });
const asOne = (js: string) => ({ js, shape: "one" as const });

function splitOut({ parameters }: Around, items: string) {
  parameters.reportOthers("options", ["destinationFieldName", "includeBinary"]);
  const names = parameters.fields("fieldToSplitOut");
  const [name, ...more] = names;
  if (name === undefined || more.length > 0 || name === "$binary") {
    throw new NotConverted(names.length > 1 ? "several fields that are split at once" : "no field to split");
  }
  const include = parameters.text("include", "noOtherFields");
  const path = name.replace(/^\$json\./, "");
  const destination = parameters.text("options.destinationFieldName");
  const target = keyOf(destination || path);
  const parts = `${partsIn}(${field(path)})`;
  if (include === "noOtherFields") {
    const asObject = `(typeof one === "object" && one !== null && !Array.isArray(one) ? one : { ${target}: one })`;
    const made = destination === "" ? asObject : `({ ${target}: one })`;
    return asList(`${items}.flatMap((item) => ${parts}.map((one) => ${made}))`);
  }
  const others = `Object.fromEntries(Object.entries(item).filter(([name]) => name !== ${JSON.stringify(path)}))`;
  const otherFields = include === "selectedOtherFields" ? pickedOf(parameters.fields("fieldsToInclude")) : others;
  return asList(`${items}.flatMap((item) => ${parts}.map((one) => ({ ...${otherFields}, ${target}: one })))`);
}

/** A list's items, an object's values, or the value itself. */
const partsIn =
  '((all) => (Array.isArray(all) ? all : typeof all === "object" && all !== null ? Object.values(all) : all === undefined ? [] : [all]))';

function pickedOf(names: readonly string[]): string {
  return `({ ${names.map((name) => `${keyOf(name)}: ${field(name)}`).join(", ")} })`;
}

function aggregate({ parameters }: Around, items: string) {
  parameters.reportOthers("options", ["groupByFields", "keepMissing", "mergeLists", "includeBinaries"]);
  if (parameters.fields("options.groupByFields").length > 0) throw new NotConverted("groups of items");
  if (parameters.text("aggregate", "aggregateIndividualFields") === "aggregateAllItemData") {
    const target = keyOf(parameters.text("destinationFieldName", "data"));
    const include = parameters.text("include", "allFields");
    const names = codeOf(parameters.fields(include === "specifiedFields" ? "fieldsToInclude" : "fieldsToExclude"));
    const sign = include === "specifiedFields" ? "" : "!";
    const all =
      include === "allFields"
        ? items
        : `${items}.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => ${sign}${names}.includes(name))))`;
    return asOne(`({ ${target}: ${all} })`);
  }
  return asOne(collected(parameters, "fieldsToAggregate.fieldToAggregate", parameters, items));
}

/** One item with a list of values for each of the fields. */
function collected(parameters: Parameters, path: string, options: Parameters, items: string): string {
  const members = parameters.entries(path).flatMap((entry) => {
    const name = entry.text("fieldToAggregate");
    if (name === "") return [];
    const target = (entry.flag("renameField") && entry.text("outputFieldName")) || last(name);
    const values = `items.${options.flag("options.mergeLists") ? "flatMap" : "map"}((item) => ${field(name)})`;
    const present = options.flag("options.keepMissing")
      ? `${values}.map((one) => one ?? null)`
      : `${values}.filter((one) => one != null)`;
    return [`${keyOf(target)}: ${present}`];
  });
  if (members.length === 0) throw new NotConverted("no field to collect");
  return `((items) => ({ ${members.join(", ")} }))(${items})`;
}

function limit({ parameters }: Around, items: string) {
  const max = Math.round(parameters.number("maxItems", 0, 1_000_000, 1));
  const isLast = parameters.text("keep", "firstItems") === "lastItems";
  return asList(isLast && max > 0 ? `${items}.slice(-${max})` : `${items}.slice(0, ${max})`);
}

function sort({ parameters }: Around, items: string) {
  parameters.reportOthers("options", []);
  const type = parameters.text("type", "simple");
  if (type !== "simple") throw new NotConverted(`sorting of the kind “${type}”`);
  const order = parameters.entries("sortFieldsUi.sortField").map((entry) => {
    const name = entry.text("fieldName");
    const sign = entry.text("order", "ascending") === "descending" ? -1 : 1;
    return `[(item) => ${field(name)}, ${sign}]`;
  });
  if (order.length === 0) throw new NotConverted("no field to sort by");
  // As in n8n, "a" comes before "B".
  const compare =
    'for (const [of, sign] of by) { const [a, b] = [of(one), of(other)].map((value) => (typeof value === "string" ? value.toLowerCase() : value)); if (a !== b) return a < b ? -sign : sign; } return 0;';
  return asList(`((by) => [...${items}].sort((one, other) => { ${compare} }))([${order.join(", ")}])`);
}

function removeDuplicates({ parameters }: Around, items: string) {
  parameters.reportOthers("options", []);
  const operation = parameters.text("operation", "removeDuplicateInputItems");
  if (operation !== "removeDuplicateInputItems")
    throw new NotConverted("what earlier runs have had: a batch node does that here");
  const compare = parameters.text("compare", "allFields");
  const names = parameters.fields(compare === "selectedFields" ? "fieldsToCompare" : "fieldsToExclude");
  const key =
    compare === "selectedFields"
      ? `[${names.map(field).join(", ")}]`
      : `Object.entries(item).filter(([name]) => !${codeOf(compare === "allFields" ? [] : names)}.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1))`;
  return asList(
    `((seen) => ${items}.filter((item) => { const key = JSON.stringify(${key}); return !seen.has(key) && seen.add(key); }))(new Set())`,
  );
}

/** Each summary's column name, and its code over `values`. */
const summaries: Readonly<Record<string, readonly [string, string]>> = {
  append: ["appended_", "values"],
  average: ["average_", "(values.reduce((sum, one) => sum + Number(one), 0) / values.length)"],
  concatenate: ["concatenated_", "values.join(separator)"],
  count: ["count_", "values.length"],
  countUnique: ["unique_count_", "new Set(values).size"],
  max: ["max_", "values.reduce((a, b) => (a === null || b > a ? b : a), null)"],
  min: ["min_", "values.reduce((a, b) => (a === null || b < a ? b : a), null)"],
  sum: ["sum_", "values.reduce((sum, one) => sum + Number(one), 0)"],
};

function summarize({ parameters }: Around, items: string) {
  parameters.reportOthers("options", ["outputFormat"]);
  const fields = parameters.entries("fieldsToSummarize.values").filter((entry) => entry.has("field"));
  const columns = fields.map((entry) => {
    const name = entry.text("field");
    const [prefix, js] = own(summaries, entry.text("aggregation", "count")) ?? [];
    if (prefix === undefined || js === undefined) throw new NotConverted(`the summary “${entry.text("aggregation")}”`);
    const chosen = entry.text("separateBy", ",");
    const separator = JSON.stringify(chosen === "other" ? entry.text("customSeparator") : chosen);
    const filter = entry.flag("includeEmpty") ? "" : '.filter((one) => one != null && one !== "")';
    return `${keyOf(prefix + name.replaceAll(".", "_"))}: ((values, separator) => ${js})(items.map((item) => ${field(name)})${filter}, ${separator})`;
  });
  if (columns.length === 0) throw new NotConverted("no field to summarize");
  const by = parameters.fields("fieldsToSplitBy");
  if (by.length === 0) return asOne(`((items) => ({ ${columns.join(", ")} }))(${items})`);
  if (parameters.text("options.outputFormat", "separateItems") !== "separateItems")
    throw new NotConverted("a summary in a single item");
  const key = `JSON.stringify([${by.map(field).join(", ")}])`;
  const groups = `Map.groupBy(${items}, (item) => ${key})`;
  const shared = by.map((name) => `${keyOf(last(name))}: ${pathIn("items[0]", name)}`);
  return asList(`[...${groups}.values()].map((items) => ({ ${[...shared, ...columns].join(", ")} }))`);
}

/** The older node that combined all of these. */
function itemLists(context: Around, items: string) {
  const { parameters } = context;
  const operation = parameters.text("operation", "splitOutItems");
  if (operation === "splitOutItems") return splitOut(context, items);
  if (operation === "limit") return limit(context, items);
  if (operation === "sort") return sort(context, items);
  if (operation === "removeDuplicates") return removeDuplicates(context, items);
  if (operation === "summarize") return summarize(context, items);
  if (operation === "concatenateItems" || operation === "aggregateItems") return aggregate(context, items);
  throw new NotConverted(`the operation “${operation}”`);
}

export const listNodes: Readonly<Record<string, Converter>> = {
  splitOut: list(splitOut),
  aggregate: list(aggregate),
  limit: list(limit),
  sort: list(sort),
  removeDuplicates: list(removeDuplicates),
  summarize: list(summarize),
  itemLists: list(itemLists),
};
