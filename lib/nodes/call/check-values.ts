import { z } from "zod";
import { issueMessage } from "#lib/engine/issue-message.ts";
import { formatPath, isJsonObject, type Json, type JsonObject } from "#lib/engine/json.ts";
import { isTemplate } from "#lib/expressions/expressions.ts";
import { findOperation, findService } from "#lib/services/model/all.ts";
import { NodeFailure } from "../define.ts";

type Problem = { readonly path: string; readonly message: string };

/** Imported services have a distinct id prefix, and are only known to the database. */
export const isImported = (service: unknown): service is string =>
  typeof service === "string" && service.startsWith("svc_");

/** Why a call cannot run, before its templates have values; null if it can. */
export function callProblem(config: JsonObject): Problem | null {
  const { service: id, operation: operationId, baseUrl } = config;
  if (typeof id !== "string" || typeof operationId !== "string") return null;
  if (isImported(id) || isTemplate(id)) return null;
  const service = findService(id);
  if (service === undefined) return { path: "service", message: `there is no service "${id}"` };
  if (isTemplate(operationId)) return { path: "operation", message: "must be the operation's id, without expressions" };
  const operation = findOperation(service, operationId);
  if (operation === undefined) {
    return { path: "operation", message: `${service.name} has no operation "${operationId}"` };
  }
  if (service.baseUrl === null && baseUrl === undefined) {
    return { path: "baseUrl", message: `is required: your own URL, such as ${service.baseUrlExample ?? ""}` };
  }
  return (
    problemIn("parameters", operation.parameters, config.parameters) ??
    problemIn("body", operation.body, config.body) ??
    null
  );
}

function problemIn(place: string, schema: z.ZodObject | undefined, given: Json | undefined): Problem | undefined {
  if (given !== undefined && !isJsonObject(given)) return undefined;
  const values = given ?? {};
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    return { path: formatPath([place, unknown]), message: "is not an input of this operation" };
  }
  const issue = schema
    ?.safeParse(withTexts(schema, values), { reportInput: true })
    .error?.issues.find(({ path }) => !isTemplateAt(values, path));
  return issue && { path: formatPath([place, ...issue.path]), message: issueMessage(issue) };
}

/** Whether the value at a path comes from an expression. */
function isTemplateAt(values: Json, path: readonly PropertyKey[]): boolean {
  let at: Json | undefined = values;
  for (const step of path) {
    if (typeof at !== "object" || at === null) break;
    at = (at as Record<PropertyKey, Json>)[step];
  }
  return typeof at === "string" && isTemplate(at);
}

/** Validates the values against the schema. Throws INVALID_CONFIG. */
export function checkedValues(
  place: "parameters" | "body",
  schema: z.ZodObject | undefined,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (schema === undefined) return {};
  // Omits values whose expression gave null.
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
  const parsed = schema.safeParse(withTexts(schema, values), { reportInput: true });
  if (parsed.success) return parsed.data;
  const messages = parsed.error.issues
    .slice(0, 20)
    .map((issue) => `${formatPath([place, ...issue.path])}: ${issueMessage(issue)}`);
  const [first] = parsed.error.issues;
  throw new NodeFailure("INVALID_CONFIG", messages.join("; "), { field: formatPath([place, ...(first?.path ?? [])]) });
}

/** Many services use numbers as ids, such as Telegram for chats: an integer is accepted as text. */
function withTexts(schema: z.ZodObject, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(values).map(([name, value]) => {
    const isText = Object.hasOwn(schema.shape, name) && takesText(schema.shape[name]);
    return [name, isText && Number.isSafeInteger(value) ? String(value) : value];
  });
  return Object.fromEntries(entries);
}

function takesText(field: unknown): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return takesText(field.unwrap());
  return field instanceof z.ZodString;
}
