// Checks every answer that the tests see against the API's own document: an undocumented answer is an error.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { baseUrl } from "./address.ts";

interface Described {
  readonly $ref?: string;
  readonly headers?: Record<string, { readonly required?: boolean }>;
  readonly content?: Record<string, object>;
}

interface Operation {
  readonly responses: Record<string, Described>;
}

interface ApiDocument {
  readonly paths: Record<string, Record<string, Operation>>;
}

interface Documented {
  readonly document: ApiDocument;
  readonly ajv: Ajv2020;
  readonly templates: readonly { readonly path: string; readonly pattern: RegExp }[];
  readonly validators: Map<string, ValidateFunction>;
}

let documented: Promise<Documented> | undefined;

async function load(): Promise<Documented> {
  const response = await fetch(`${baseUrl()}/api/v1/openapi.json`);
  const document = (await response.json()) as ApiDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "api");
  // Literal paths first: in `/executions/stats`, `stats` is not an id.
  const paths = Object.keys(document.paths).sort((a, b) => a.split("{").length - b.split("{").length);
  const templates = paths.map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
  return { document, ajv, templates, validators: new Map() };
}

/** How an answer and the document differ; null if they agree. */
export async function undocumented(
  method: string,
  pathAndQuery: string,
  status: number,
  body: unknown,
  headers?: Headers,
): Promise<string | null> {
  const path = pathAndQuery.replace(/[?#].*$/, "");
  // A trigger URL answers with the flow's own result, for any method.
  if (/^\/webhooks\/hook_/.test(path) || method === "HEAD" || method === "OPTIONS") return null;
  documented ??= load();
  const { document, ajv, templates, validators } = await documented;
  const template = templates.find(({ pattern }) => pattern.test(path));
  const operation = template && document.paths[template.path]?.[method.toLowerCase()];
  if (template === undefined || operation === undefined) return null;
  const described = operation.responses[status];
  if (described === undefined) return `${method} ${template.path}: ${status} is not documented`;
  const lacking = headers && missingHeader(described, headers);
  if (lacking !== undefined) return `${method} ${template.path} ${status}: there is no ${lacking}`;
  const type = headers?.get("content-type")?.split(";")[0] ?? "";
  // Of several forms of an answer, JSON alone has a schema.
  if (type !== "application/json" && described.content?.[type] !== undefined) return null;
  if (described.$ref === undefined && described.content?.["application/json"] === undefined) return null;
  const key = `${method.toLowerCase()} ${template.path} ${status}`;
  const validate = validators.get(key) ?? compile(ajv, template.path, method, status, described.$ref);
  validators.set(key, validate);
  return validate(body) ? null : `${method} ${template.path} ${status}: ${ajv.errorsText(validate.errors)}`;
}

function missingHeader({ headers = {} }: Described, sent: Headers): string | undefined {
  return Object.entries(headers).find(([name, { required }]) => required === true && !sent.has(name))?.[0];
}

function compile(ajv: Ajv2020, path: string, method: string, status: number, ref?: string): ValidateFunction {
  const escaped = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
  const steps = ref?.slice(2).split("/") ?? ["paths", path, method.toLowerCase(), "responses", String(status)];
  const pointer = [...steps, "content", "application/json", "schema"].map(escaped).join("/");
  return ajv.compile({ $ref: `api#/${pointer}` });
}
