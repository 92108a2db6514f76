import type { Operation, OperationServer, ParameterStyle } from "#lib/services/model/service.ts";
import { type NodeCredential, NodeFailure } from "../define.ts";
import { hostFailure, mayBeSentTo } from "../http-request/apply-credential.ts";
import { asText } from "../http-request/request.ts";
import { pathText } from "./parameter-text.ts";

const placeholder = /\{([^{}]+?)(\+?)\}/g;

/** The names of a path's parameters. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(placeholder)].map(([, name = ""]) => name);
}

/** How a parameter is serialized, if not as usual. Parameters may be named like what every object has. */
export function styleIn(styles: Operation["styles"], name: string): ParameterStyle | undefined {
  return styles !== undefined && Object.hasOwn(styles, name) ? styles[name] : undefined;
}

/**
 * An operation's URL: the base URL, and the path with its parameters, each encoded as one segment. `token` replaces
 * `{credential}`. Throws BAD_URL and INVALID_CONFIG.
 */
export function callAddress(
  baseUrl: string,
  { path, styles }: Pick<Operation, "path" | "styles">,
  parameters: Readonly<Record<string, unknown>>,
  token?: string,
): string {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol) || base.search !== "" || base.hash !== "") {
    throw new NodeFailure("BAD_URL", "The base URL must start with https:// and have no query", {
      field: "baseUrl",
    });
  }
  const filled = path.replace(placeholder, (_, name: string, isLong: string) => {
    if (name === "credential" && token !== undefined) return encodeURIComponent(token).replaceAll("%3A", ":");
    const style = styleIn(styles, name);
    if (style !== undefined) return requireStep(name, pathText(name, parameters[name], style));
    const value = asText(parameters[name]) ?? "";
    const steps = isLong === "" ? [value] : value.replace(/^\/+/, "").split("/");
    if (value === "") requireStep(name, value);
    return steps.map((step) => encodeURIComponent(requireStep(name, step).toWellFormed())).join("/");
  });
  return base.href.replace(/\/+$/, "") + filled;
}

/** Refuses dot segments, which URL parsers resolve even if encoded. */
function requireStep(name: string, step: string): string {
  if (step !== "" && !isWayUp(step)) return step;
  const field = `parameters.${name}`;
  throw new NodeFailure("INVALID_CONFIG", `${field}: must not be empty, . or ..`, { field });
}

const isWayUp = (step: string) => /^(\.|%2e){1,2}$/i.test(step);

/** The URL of an operation's own server, with its variables filled in. Throws INVALID_CONFIG. */
export function serverAddress(
  { url, variables }: OperationServer,
  parameters: Readonly<Record<string, unknown>>,
): string {
  return url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const variable = variables[name];
    if (variable === undefined) return "";
    const given = parameters[variable.parameter];
    if (given === undefined || given === null || given === "") return variable.default;
    const value = asText(given) ?? "";
    const isFit =
      variable.choices.length > 0 ? variable.choices.includes(value) : /^[\w.~-]+$/.test(value) && !isWayUp(value);
    if (isFit) return value;
    const field = `parameters.${variable.parameter}`;
    const path =
      variable.choices.length > 0
        ? `must be one of ${variable.choices.join(", ")}`
        : "must have letters, digits, dots and hyphens only, as a part of an address";
    throw new NodeFailure("INVALID_CONFIG", `${field}: ${path}`, { field });
  });
}

/** The token of a credential that goes into the URL. Throws CREDENTIAL_TYPE and CREDENTIAL_HOST. */
export function tokenInPath(credential: NodeCredential, baseUrl: string): string {
  const { token } = credential.data;
  if (token === undefined) {
    throw new NodeFailure("CREDENTIAL_TYPE", `The credential "${credential.name}" must be of type bearer here`, {
      field: "credential",
    });
  }
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  if (!mayBeSentTo(credential.allowedHosts, host)) {
    throw new NodeFailure("CREDENTIAL_HOST", hostFailure(credential.name, credential.allowedHosts, host), {
      field: "credential",
    });
  }
  return token;
}
