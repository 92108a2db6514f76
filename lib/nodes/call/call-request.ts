import { BodyTooLarge } from "#lib/services/model/bracketed.ts";
import type { CallValues, Operation, OperationPages, Service } from "#lib/services/model/service.ts";
import { type NodeContext, NodeFailure } from "../define.ts";
import { type HttpRequestConfig, httpRequestConfig } from "../http-request/config.ts";
import { asText } from "../http-request/request.ts";
import { callAddress, namesInPath, serverAddress, styleIn, tokenInPath } from "./call-address.ts";
import type { CallConfig } from "./config.ts";
import { headerText, pairsOf } from "./parameter-text.ts";

const pagesMax = 100;

/** Turns a call into a request of the node `http-request`. Throws NodeFailure. */
export async function callRequest(
  service: Service,
  operation: Operation,
  config: CallConfig,
  values: CallValues,
  context: Pick<NodeContext, "credential">,
): Promise<HttpRequestConfig> {
  const baseUrl =
    config.baseUrl ??
    (operation.server === undefined ? service.baseUrl : serverAddress(operation.server, values.parameters));
  if (baseUrl === null) {
    throw new NodeFailure("INVALID_CONFIG", `baseUrl: ${service.name} has no common base URL`, {
      field: "baseUrl",
    });
  }
  const { credential, timeout, retry } = config;
  // An imported operation may have a parameter named `credential`, which must not get a token.
  const isInPath =
    service.credentials.some(({ inPath }) => inPath) && namesInPath(operation.path).includes("credential");
  if (isInPath && credential === undefined) {
    throw new NodeFailure("INVALID_CONFIG", `credential: ${service.name} needs one`, { field: "credential" });
  }
  const token =
    isInPath && credential !== undefined ? tokenInPath(await context.credential(credential), baseUrl) : undefined;
  const { query, search, headers } = placed(operation, values);
  const pagination = pagesOf(operation, config, values);
  return httpRequestConfig.parse({
    method: operation.method,
    url: callAddress(baseUrl, operation, values.parameters, token) + search,
    query: { ...operation.query, ...query },
    headers: { ...service.headers, ...headers },
    ...(isInPath || credential === undefined ? {} : { credential }),
    ...bodyOf(operation, values),
    ...(pagination === undefined ? {} : { pagination }),
    responseType: operation.answers === "file" ? "file" : "auto",
    timeout,
    retry,
  });
}

/**
 * Places the parameters outside of the path. `search`: query parameters with their own serialization style. Lists in
 * headers are comma-separated.
 */
function placed(operation: Operation, { parameters }: CallValues) {
  const { cookies: cookieNames = [], headers: headerNames = [], styles, server } = operation;
  const elsewhere = new Set([
    ...namesInPath(operation.path),
    ...Object.values(server?.variables ?? {}).map(({ parameter }) => parameter),
  ]);
  const query: Record<string, unknown> = {};
  const headers: Record<string, string> = {};
  const [pairs, cookies]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(parameters)) {
    if (elsewhere.has(name)) continue;
    const style = styleIn(styles, name);
    if (cookieNames.includes(name)) cookies.push(...pairsOf(name, value, style ?? "form*"));
    else if (headerNames.includes(name)) headers[name] = headerText(name, value, style ?? "simple");
    else if (style !== undefined) pairs.push(...pairsOf(name, value, style));
    else query[name] = plainValue(value);
  }
  const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return { query, search, headers: cookies.length === 0 ? headers : { ...headers, cookie: cookies.join("; ") } };
}

/** A value for a query: objects as JSON. */
function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainItem);
  return plainItem(value);
}

function plainItem(value: unknown): unknown {
  return typeof value === "object" && value !== null ? asText(value) : value;
}

function bodyOf(operation: Operation, values: CallValues): Partial<HttpRequestConfig> {
  if (operation.body === undefined && operation.send === undefined) return {};
  const { bodyType = "json", fileField } = operation;
  if (fileField !== undefined) return { body: values.body[fileField], bodyType };
  return { body: operation.send === undefined ? values.body : builtBody(operation.send, values), bodyType };
}

function builtBody(send: NonNullable<Operation["send"]>, values: CallValues): unknown {
  try {
    return send(values);
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw error;
    throw new NodeFailure("INVALID_CONFIG", `body: ${error.message}`, { field: "body" });
  }
}

function pagesOf(
  { pages: described, name }: Operation,
  { allPages, itemsMax }: CallConfig,
  { parameters }: CallValues,
): PagesRequest | undefined {
  if (allPages !== true) return undefined;
  if (described === undefined) {
    throw new NodeFailure("INVALID_CONFIG", `allPages: "${name}" does not return a paginated list`, {
      field: "allPages",
    });
  }
  const { size, ...pages } = described;
  const pageSize = size === undefined ? undefined : parameters[size];
  // With pages of 10, the next offset is 10: a larger step would skip items.
  const offset = typeof pageSize === "number" && pages.offset !== undefined ? { offset: Math.max(1, pageSize) } : {};
  return { ...pages, ...offset, pagesMax, ...(itemsMax === undefined ? {} : { itemsMax }) };
}

type PagesRequest = Omit<OperationPages, "size"> & { readonly pagesMax: number; readonly itemsMax?: number };
