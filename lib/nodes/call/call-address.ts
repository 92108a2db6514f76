import type { Operation } from "#lib/services/model/service.ts";
import { type NodeCredential, NodeFailure } from "../define.ts";
import { hostFailure, mayBeSentTo } from "../http-request/apply-credential.ts";
import { asText } from "../http-request/request.ts";

const placeholder = /\{([^{}]+?)(\+?)\}/g;

/** The names that stand in a path. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(placeholder)].map(([, name = ""]) => name);
}

/**
 * An operation's address: the base URL and the path with its parameters, each as one step that cannot lead elsewhere.
 * `token` stands at `{credential}`. Throws BAD_URL and INVALID_CONFIG.
 */
export function callAddress(
  baseUrl: string,
  { path }: Pick<Operation, "path">,
  parameters: Readonly<Record<string, unknown>>,
  token?: string,
): string {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol) || base.search !== "" || base.hash !== "") {
    throw new NodeFailure("BAD_URL", "The base URL must be an address that starts with https://, without a query", {
      field: "baseUrl",
    });
  }
  const filled = path.replace(placeholder, (_, name: string, isLong: string) => {
    if (name === "credential" && token !== undefined) return encodeURIComponent(token).replaceAll("%3A", ":");
    const value = asText(parameters[name]) ?? "";
    const steps = isLong === "" ? [value] : value.replace(/^\/+/, "").split("/");
    // A parser of addresses would take these steps for ways up, also encoded.
    if (value === "" || steps.some((step) => /^(\.|%2e){1,2}$/i.test(step))) {
      const field = `parameters.${name}`;
      throw new NodeFailure("INVALID_CONFIG", `${field}: must not be empty, . or ..`, { field });
    }
    return steps.map(encodeURIComponent).join("/");
  });
  return base.href.replace(/\/+$/, "") + filled;
}

/** The token of a credential that stands in an address. Throws CREDENTIAL_TYPE and CREDENTIAL_HOST. */
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
