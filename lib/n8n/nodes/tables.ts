import type { Json, JsonObject } from "#lib/engine/json.ts";
import { asTemplate } from "../expressions/read-value.ts";
import { NotConverted, own } from "../source.ts";
import { type Around, type Converter, perItem } from "./convert-node.ts";
import { fieldsOf } from "./service-request.ts";

/** Comparisons in the form of a table's filter. */
const comparisons: Readonly<Record<string, (value: Json) => Json>> = {
  eq: (value) => value,
  neq: (value) => ({ ne: value }),
  gt: (value) => ({ gt: value }),
  gte: (value) => ({ gte: value }),
  lt: (value) => ({ lt: value }),
  lte: (value) => ({ lte: value }),
  ilike: (value) => ({ contains: typeof value === "string" ? value.replace(/^%|%$/g, "") : value }),
  isEmpty: () => null,
  isNotEmpty: () => ({ ne: null }),
  isTrue: () => true,
  isFalse: () => false,
};

interface Condition {
  readonly column: string;
  readonly comparison: string;
  readonly value: Json;
}

function conditionsOf({ parameters }: Around): readonly Condition[] {
  return parameters.entries("filters.conditions").map((entry) => ({
    column: entry.text("keyName", "id"),
    comparison: entry.text("condition", "eq"),
    value: (asTemplate(entry.value("keyValue")) ?? null) as Json,
  }));
}

function whereOf(context: Around): JsonObject {
  const conditions = conditionsOf(context);
  const tests = conditions.map(({ column, comparison, value }) => {
    const made = own(comparisons, comparison);
    if (made === undefined) throw new NotConverted(`the comparison “${comparison}”`);
    return { [column]: made(value) };
  });
  if (tests.length <= 1) return tests[0] ?? {};
  return context.parameters.text("matchType", "anyCondition") === "allConditions" ? { and: tests } : { or: tests };
}

const dataTable = perItem((context) => {
  const { parameters, gap } = context;
  const operation = parameters.text("operation", "insert");
  if (parameters.text("resource", "row") !== "row") throw new NotConverted("a table that is made or changed by a flow");
  const chosen = cachedName(context) ?? parameters.text("dataTableId");
  const table = String(chosen) || "imported";
  const isAuto = parameters.text("columns.mappingMode", "defineBelow") === "autoMapInputData";
  const names = parameters.names("columns.value");
  const row: Json = isAuto ? `{{ ${context.reading.item.json} }}` : fieldsOf(context, names);
  const columnNames = conditionsOf(context).map(({ column }) => column);
  const columns = [...new Set([...names, ...columnNames])].filter((name) => name !== "id");
  gap(
    `Needs the table “${table}”${columns.length === 0 ? "" : ` with the columns ${columns.slice(0, 30).join(", ")}`}.`,
  );
  const make = (config: JsonObject, json: string, gives?: "list") => ({
    type: "table",
    config: { table, ...config },
    json: (output: string) => `${output}.${json}`,
    ...(gives === undefined ? {} : { gives }),
  });
  if (operation === "insert") return make({ action: "insert", row }, "row");
  if (operation === "get") {
    const limit = parameters.flag("returnAll") ? 1_000 : Math.round(parameters.number("limit", 1, 1_000, 50));
    if (parameters.flag("returnAll")) gap("At most 1,000 rows are found.");
    return make({ action: "find", where: whereOf(context), limit }, "rows", "list");
  }
  if (operation === "update") return make({ action: "update", where: whereOf(context), row }, "rows", "list");
  if (operation === "deleteRows") return make({ action: "delete", where: whereOf(context) }, "rows", "list");
  if (operation === "upsert") {
    const [condition, ...more] = conditionsOf(context);
    if (condition === undefined || more.length > 0 || condition.comparison !== "eq" || typeof row === "string") {
      throw new NotConverted("a row that is found by more than one column's value");
    }
    gap(`The column “${condition.column}” of the table “${table}” has to be unique.`);
    return make(
      { action: "upsert", key: condition.column, row: { [condition.column]: condition.value, ...row } },
      "row",
    );
  }
  throw new NotConverted(`the operation “${operation}”`);
});

/** The table's name as n8n's editor cached it. */
function cachedName({ node }: Around): string | undefined {
  const given = node.parameters.dataTableId;
  const name =
    typeof given === "object" && given !== null && !Array.isArray(given) ? given.cachedResultName : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

export const tableNodes: Readonly<Record<string, Converter>> = { dataTable };
