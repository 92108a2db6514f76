import type { Json, JsonObject } from "#lib/engine/json.ts";
import { asTemplate } from "../expressions/read-value.ts";
import { NotConverted } from "../source.ts";
import { type Around, type Converter, perItem } from "./convert-node.ts";
import { chosen, fieldsOf, only, request, template } from "./service-request.ts";

const flattened = (record: string) => `({ id: ${record}.id, createdTime: ${record}.createdTime, ...${record}.fields })`;

const airtable = perItem((context) => {
  const { node, parameters } = context;
  const isOld = node.version < 2;
  const operation = only(
    context,
    "record",
    ["get", "search", "list", "create", "update", "upsert", "deleteRecord"],
    "record",
    isOld ? "read" : "get",
  );
  const base = `https://api.airtable.com/v0/${chosen(context, parameters.has("base") ? "base" : "application", /airtable\.com\/([A-Za-z0-9]{2,})/)}/${chosen(context, "table", /airtable\.com\/[A-Za-z0-9]{2,}\/([A-Za-z0-9]{2,})/)}`;
  if (operation === "search" || operation === "list") return airtableList(context, base, isOld);
  parameters.reportOthers("options", []);
  if (operation === "get") {
    const made = request(context, "GET", `${base}/${template(context, "id")}`, null);
    return { ...made, json: (output: string) => flattened(made.json(output)) };
  }
  if (operation === "deleteRecord") return request(context, "DELETE", `${base}/${template(context, "id")}`, null);
  const isAuto = parameters.text("columns.mappingMode", "defineBelow") === "autoMapInputData";
  const names = parameters.names("columns.value").filter((name) => name !== "id");
  const fields = isAuto ? `{{ ${context.reading.item.json} }}` : fieldsOf(context, names);
  if (operation === "create") return request(context, "POST", base, { fields });
  const found = parameters.fields("columns.matchingColumns").filter((name) => name !== "id");
  if (operation === "upsert" && found.length > 0) {
    const body = { records: [{ fields }], performUpsert: { fieldsToMergeOn: [...found] } };
    return request(context, "PATCH", base, body, ".records[0]");
  }
  const id = asTemplate(parameters.memberValue("columns.value", "id"));
  if (typeof id !== "string" || id === "") throw new NotConverted("a change of a record that is not found by its id");
  return request(context, "PATCH", `${base}/${id}`, { fields });
});

/** All pages of a list, or its first records. Later versions of the node put fields beside the id. */
function airtableList(context: Around, base: string, isOld: boolean) {
  const { parameters } = context;
  const options = isOld ? "additionalOptions" : "options";
  const formula = isOld ? "additionalOptions.filterByFormula" : "filterByFormula";
  const sorts = parameters.entries(isOld ? "additionalOptions.sort.property" : "sort.property");
  const fields = parameters.fields(`${options}.fields`);
  const query: JsonObject = {
    ...(parameters.has(formula) ? { filterByFormula: template(context, formula) } : {}),
    ...(parameters.has(`${options}.view`) ? { view: template(context, `${options}.view`) } : {}),
    ...(fields.length > 0 ? { "fields[]": [...fields] } : {}),
  };
  for (const [index, sort] of sorts.entries()) {
    query[`sort[${index}][field]`] = sort.text("field");
    query[`sort[${index}][direction]`] = sort.text("direction", "asc");
  }
  parameters.reportOthers(options, ["fields", "view", "filterByFormula", "sort"]);
  const itemsMax = parameters.flag("returnAll", true) ? 10_000 : Math.round(parameters.number("limit", 1, 10_000, 100));
  const made = request(context, "GET", base, null);
  const pagination = {
    ...{ cursor: "$response.body.offset", parameter: "offset", items: "$response.body.records" },
    ...{ pagesMax: 100, itemsMax },
  };
  return {
    ...made,
    config: { ...made.config, query, pagination },
    json: (output: string) => (isOld ? `${output}.body` : `${output}.body.map((one) => ${flattened("one")})`),
    gives: "list" as const,
  };
}

const github = perItem((context) => {
  const operation = only(context, "issue", ["create", "createComment", "get", "edit"], "issue", "create");
  const { parameters } = context;
  const owner = chosen(context, "owner", /github\.com\/([^/]+)/);
  const repository = chosen(context, "repository", /github\.com\/[^/]+\/([^/]+)/);
  const issues = `https://api.github.com/repos/${owner}/${repository}/issues`;
  const body = parameters.has("body") ? { body: template(context, "body") } : {};
  if (operation === "create") {
    const sent = { title: template(context, "title"), ...body, ...listsIn(context, "") };
    return request(context, "POST", issues, sent);
  }
  const issue = `${issues}/${template(context, "issueNumber")}`;
  if (operation === "get") return request(context, "GET", issue, null);
  if (operation === "createComment") return request(context, "POST", `${issue}/comments`, body);
  const texts = ["title", "body", "state", "state_reason"].filter((name) => parameters.has(`editFields.${name}`));
  const edited = texts.map((name) => [name, template(context, `editFields.${name}`)] as const);
  parameters.reportOthers("editFields", [...texts, "labels", "assignees"]);
  return request(context, "PATCH", issue, { ...Object.fromEntries(edited), ...listsIn(context, "editFields.") });
});

/** An issue's labels and assignees. */
function listsIn({ parameters }: Around, at: string): JsonObject {
  const listIn = (path: string, name: string) =>
    parameters.entries(at + path).flatMap((entry) => (entry.has(name) ? [asTemplate(entry.value(name)) as Json] : []));
  const [labels, assignees] = [listIn("labels", "label"), listIn("assignees", "assignee")];
  return { ...(labels.length > 0 ? { labels } : {}), ...(assignees.length > 0 ? { assignees } : {}) };
}

export const serviceNodes: Readonly<Record<string, Converter>> = { airtable, github };
