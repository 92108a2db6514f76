import type { Json, JsonObject } from "#lib/engine/json.ts";
import { asTemplate, escaped, type Part } from "../expressions/read-value.ts";
import type { Parameters } from "../parameters.ts";
import { keyOf, NotConverted, own } from "../source.ts";
import { type Around, type Converter, perItem } from "./convert-node.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The credential types here, by n8n's. */
const signIns: Readonly<Record<string, string>> = {
  httpBasicAuth: "basic",
  httpHeaderAuth: "header",
  httpQueryAuth: "query",
  httpBearerAuth: "bearer",
};

const httpRequest = perItem((context) => {
  const { node, parameters } = context;
  const isOld = node.version < 3;
  const method = parameters.text(isOld ? "requestMethod" : "method", "GET").toUpperCase();
  if (!methods.has(method)) throw new NotConverted(`the method “${method.slice(0, 20)}”`);
  if (parameters.has("options.pagination.pagination")) {
    context.gap("Further pages of the answer are not requested: request them in a loop, or use a larger page size.");
  }
  const body = isOld ? oldBody(parameters) : newBody(parameters);
  const headers = {
    ...namedValues(
      parameters,
      isOld ? "headerParametersUi.parameter" : "headerParameters.parameters",
      isOld || parameters.flag("sendHeaders"),
    ),
    ...jsonNames(parameters, isOld ? "headerParametersJson" : "jsonHeaders"),
    ...body.headers,
  };
  const query = {
    ...namedValues(
      parameters,
      isOld ? "queryParametersUi.parameter" : "queryParameters.parameters",
      isOld || parameters.flag("sendQuery"),
    ),
    ...jsonNames(parameters, isOld ? "queryParametersJson" : "jsonQuery"),
  };
  const credential = credentialOf(context);
  const format = parameters.text(
    "options.response.response.responseFormat",
    parameters.text("responseFormat", "autodetect"),
  );
  if (format === "file") throw new NotConverted("an answer that is a file");
  const isFull = parameters.flag("options.response.response.fullResponse") || parameters.flag("options.fullResponse");
  const never =
    parameters.flag("options.response.response.neverError") || parameters.flag("options.ignoreResponseCode");
  const timeout = parameters.number("options.timeout", 1, 300_000, 0);
  parameters.reportOthers("options", knownOptions);
  const config: JsonObject = {
    method,
    url: String(parameters.template("url") ?? ""),
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(credential === undefined ? {} : { credential }),
    ...body.config,
    ...(timeout === 0 ? {} : { timeout: Math.round(timeout) }),
    ...(never ? { failOnStatus: false } : {}),
    ...(followsRedirects(parameters) ? {} : { followRedirects: false }),
  };
  const made = { type: "http-request", config };
  if (isFull) {
    return {
      ...made,
      json: (output: string) => output,
      moved: (output: string) => new Map([["statusCode", `${output}.status`]]),
    };
  }
  if (format === "text" || format === "string") {
    const name = parameters.text("options.response.response.outputPropertyName") || parameters.text("dataPropertyName");
    return { ...made, json: (output: string) => `({ ${keyOf(name || "data")}: ${output}.body })` };
  }
  return { ...made, json: (output: string) => `${output}.body`, mayBeList: method === "GET" };
});

const knownOptions = [
  ...["response", "redirect", "timeout", "pagination", "lowercaseHeaders"],
  ...["fullResponse", "ignoreResponseCode", "bodyContentType", "followRedirect", "followAllRedirects"],
];

/** By default, as here. */
function followsRedirects(parameters: Parameters): boolean {
  if (parameters.at("options.followRedirect") === false) return false;
  const chosen = parameters.at("options.redirect.redirect");
  return chosen === undefined || parameters.flag("options.redirect.redirect.followRedirects");
}

function credentialOf({ node, parameters, credential }: Around): string | undefined {
  const authentication = parameters.text("authentication", "none");
  const isOldName = Object.hasOwn(signIns, `http${authentication.charAt(0).toUpperCase()}${authentication.slice(1)}`);
  if (authentication === "none") return undefined;
  const kind = isOldName
    ? `http${authentication.charAt(0).toUpperCase()}${authentication.slice(1)}`
    : parameters.text("genericAuthType", parameters.text("nodeCredentialType", node.credentials[0]?.kind ?? ""));
  return credential(own(signIns, kind) ?? "bearer");
}

/** Headers, query or body fields given as a list of names and values. */
function namedValues(parameters: Parameters, path: string, isSent: boolean): JsonObject {
  if (!isSent) return {};
  const entries = parameters.entries(path).flatMap((entry) => {
    const name = entry.text("name");
    return name === "" ? [] : [[name, (asTemplate(entry.value("value")) ?? "") as Json] as const];
  });
  return Object.fromEntries(entries);
}

/** The same, given as an object's JSON text. */
function jsonNames(parameters: Parameters, path: string): JsonObject {
  if (!parameters.has(path)) return {};
  const made = jsonTemplate(parameters, path);
  if (typeof made !== "object" || made === null || Array.isArray(made))
    throw new NotConverted(`“${path}”, which is not an object`);
  return made;
}

interface Body {
  readonly config: JsonObject;
  readonly headers: JsonObject;
}

function newBody(parameters: Parameters): Body {
  if (!parameters.flag("sendBody")) return { config: {}, headers: {} };
  const type = parameters.text("contentType", "json");
  if (type === "multipart-form-data") {
    const fields = parameters.entries("bodyParameters.parameters");
    if (fields.some((field) => field.text("parameterType", "formData") !== "formData"))
      throw new NotConverted("a body with files");
    const body = namedValues(parameters, "bodyParameters.parameters", true);
    return { config: { body, bodyType: "multipart" }, headers: {} };
  }
  if (type === "binaryData") throw new NotConverted("a body with files");
  if (type === "raw") {
    const contentType = parameters.text("rawContentType", "text/plain");
    return {
      config: { body: parameters.template("body") as Json, bodyType: "text" },
      headers: { "content-type": contentType },
    };
  }
  const bodyType = type === "form-urlencoded" ? "form" : "json";
  const bodyKind = parameters.text("specifyBody", "keypair");
  if (bodyKind === "keypair") {
    return { config: { body: namedValues(parameters, "bodyParameters.parameters", true), bodyType }, headers: {} };
  }
  if (bodyKind === "json") return jsonBody(parameters, "jsonBody");
  return {
    config: { body: parameters.template("body") as Json, bodyType: "text" },
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
}

function oldBody(parameters: Parameters): Body {
  if (parameters.has("bodyParametersJson")) return jsonBody(parameters, "bodyParametersJson");
  const body = namedValues(parameters, "bodyParametersUi.parameter", true);
  if (Object.keys(body).length === 0) return { config: {}, headers: {} };
  const type = parameters.text("options.bodyContentType", "json");
  if (type === "multipart-form-data") throw new NotConverted("a body with files");
  return { config: { body, bodyType: type === "form-urlencoded" ? "form" : "json" }, headers: {} };
}

function jsonBody(parameters: Parameters, path: string): Body {
  const made = jsonTemplate(parameters, path);
  if (typeof made === "string" && !/^\{\{.*\}\}$/s.test(made)) {
    return { config: { body: made, bodyType: "text" }, headers: { "content-type": "application/json" } };
  }
  return { config: { body: made, bodyType: "json" }, headers: {} };
}

/** Private-use characters that mark the numbers of expressions, in a text or in place of a value. */
const [opened, closed, bare] = ["\ue000", "\ue001", "\ue002"];

/**
 * JSON text with expressions, as data with templates in its strings, so that each value is serialized correctly. If the
 * text cannot be parsed, it becomes a template as a whole.
 */
export function jsonTemplate(parameters: Parameters, path: string): Json {
  const value = parameters.value(path);
  if ("given" in value) {
    if (typeof value.given !== "string") return escaped(value.given) as Json;
    return parsedOr(value.given, () => {
      throw new NotConverted(`“${path}”, which is not JSON`);
    });
  }
  const { parts } = value;
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== "string") return `{{ ${asData(only)} }}`;
  let [text, isInText] = ["", false];
  for (const [index, part] of parts.entries()) {
    if (typeof part !== "string") {
      text += isInText ? `${opened}${index}${closed}` : `"${bare}${index}${closed}"`;
      continue;
    }
    for (let character = 0; character < part.length; character += 1) {
      if (isInText && part[character] === "\\") character += 1;
      else if (part[character] === '"') isInText = !isInText;
    }
    text += part;
  }
  const back = (value: unknown): unknown => {
    if (typeof value === "string") {
      const part = parts[Number(/^\ue002(\d+)\ue001$/.exec(value)?.[1])];
      if (part !== undefined && typeof part !== "string") return `{{ ${asData(part)} }}`;
      return value
        .replaceAll("{{", "\\{{")
        .replace(/\ue000(\d+)\ue001/g, (_, at) => `{{ ${codeAt(parts, Number(at))} }}`);
    }
    if (Array.isArray(value)) return value.map(back);
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([key, child]) => {
      // Names are not templates.
      if (/[\ue000\ue002]\d+\ue001/.test(key)) throw new NotConverted("an expression in a name");
      return [key, back(child)] as const;
    });
    return Object.fromEntries(members);
  };
  try {
    return back(JSON.parse(text)) as Json;
  } catch {
    return asTemplate(value) as string;
  }
}

function codeAt(parts: readonly Part[], at: number): string {
  const part = parts[at];
  return part === undefined || typeof part === "string" ? '""' : part.js;
}

/** Code for a value as data: without a JSON.stringify around it, and parsed if it is text. */
function asData(part: Exclude<Part, string>): string {
  if (part.tree.type === "ObjectExpression" || part.tree.type === "ArrayExpression") return part.js;
  const stringified = /^JSON\.stringify\((.*)\)$/s.exec(part.js);
  const [argument, ...more] = part.tree.arguments ?? [];
  if (stringified !== null && argument !== undefined && more.length === 0 && part.tree.type === "CallExpression")
    return `(${stringified[1]})`;
  return `((one) => (typeof one === "string" ? JSON.parse(one) : one))(${part.js})`;
}

function parsedOr(text: string, otherwise: () => never): Json {
  let made: unknown;
  try {
    made = JSON.parse(text);
  } catch {
    otherwise();
  }
  return escaped(made) as Json;
}

const graphql = perItem((context) => {
  const { parameters } = context;
  const variables = parameters.has("variables") ? { variables: jsonTemplate(parameters, "variables") } : {};
  const operation = parameters.has("operationName")
    ? { operationName: parameters.template("operationName") as Json }
    : {};
  const credential = credentialOf(context);
  return {
    type: "http-request",
    config: {
      method: "POST",
      url: String(parameters.template("endpoint") ?? ""),
      headers: namedValues(parameters, "headerParametersUi.parameter", true),
      body: { query: parameters.template("query") as Json, ...variables, ...operation },
      bodyType: "json",
      ...(credential === undefined ? {} : { credential }),
    },
    json: (output) => `${output}.body`,
  };
});

export const requestNodes: Readonly<Record<string, Converter>> = { httpRequest, graphql };
