import { parse } from "yaml";
import type { CredentialKind } from "#lib/services/model/service.ts";
import { documentLimits, type ReadDocument, UnreadableDocument } from "./imported.ts";
import { operationsOf } from "./operations.ts";
import { Document, type Found, isObject, textOf } from "./references.ts";
import { serverOf } from "./servers.ts";

/** An alias refers to another value: with many of them, a small text becomes an enormous value. */
const aliasesMax = 100;

/** Reads an OpenAPI document in JSON or YAML. `from`: the URL that it came from. Never throws. */
export function readDocument(text: string, from: string | null): ReadDocument {
  try {
    const root = parsed(text);
    requireVersion(root);
    requireShallow(root);
    const document = new Document(root);
    // By default, the document's own location is the server.
    const servers =
      Array.isArray(root.servers) && root.servers.length > 0 ? root.servers : [{ url: from === null ? "" : "/" }];
    const server = serverOf(document, servers, from);
    const { operations, skipped } = operationsOf(document, { server, from: from ?? server?.baseUrl ?? null });
    const bytes = operations.reduce((sum, operation) => sum + Buffer.byteLength(JSON.stringify(operation)), 0);
    if (bytes > documentLimits.serviceBytes) {
      throw new UnreadableDocument(`describes operations of more than ${documentLimits.serviceBytes} bytes`);
    }
    const info = document.meant(root.info) ?? {};
    const service = {
      title: textOf(info.title, 100),
      description: textOf(info.description, 500),
      baseUrl: server?.baseUrl ?? null,
      credentials: credentialKinds(document),
      operations,
      skipped,
    };
    return { service };
  } catch (error) {
    if (error instanceof UnreadableDocument) return { problem: error.message };
    return { problem: "cannot be read" };
  }
}

function parsed(text: string): Found {
  const value = asJson(text) ?? asYaml(text);
  if (isObject(value)) return value;
  throw new UnreadableDocument("is not an OpenAPI document: it must be an object in JSON or YAML");
}

function asJson(text: string): unknown {
  try {
    return /^\s*\{/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function asYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: aliasesMax, prettyErrors: false, logLevel: "error" });
  } catch (error) {
    const reason = error instanceof Error ? textOf(error.message.split("\n", 1)[0], 200) : "";
    throw new UnreadableDocument(`is neither JSON nor YAML: ${reason}`);
  }
}

function requireVersion({ openapi, swagger }: Found): void {
  if (typeof openapi === "string" && /^3\.[01](\.|$)/.test(openapi)) return;
  const found = textOf(openapi ?? swagger, 20);
  const versionText = found === "" ? "it does not say its version" : `it is of version ${found}`;
  throw new UnreadableDocument(`must be OpenAPI 3.0 or 3.1: ${versionText}`);
}

/** Walks level by level, so that no nesting exhausts the stack. Values shared by aliases are walked once. */
function requireShallow(root: Found): void {
  let level: object[] = [root];
  const seen = new Set<object>(level);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > documentLimits.levels) {
      throw new UnreadableDocument(`is nested deeper than ${documentLimits.levels} levels`);
    }
    level = level.flatMap((container) => unseenMembers(container, seen));
  }
}

/** The objects and lists directly in this one that are not in `seen`, and adds them to it. */
function unseenMembers(container: object, seen: Set<object>): object[] {
  return Object.values(container).filter((value) => {
    if (typeof value !== "object" || value === null || seen.has(value)) return false;
    seen.add(value);
    return true;
  });
}

const kindsMax = 10;

/** The document's security schemes as kinds of credentials; unsupported ones are left out. */
function credentialKinds(document: Document): CredentialKind[] {
  const components = document.meant(document.root.components) ?? {};
  const schemes = document.meant(components.securitySchemes) ?? {};
  const kinds = Object.values(schemes).flatMap((scheme) => kindOf(document, document.meant(scheme) ?? {}) ?? []);
  return kinds.slice(0, kindsMax);
}

function kindOf(document: Document, scheme: Found): CredentialKind | null {
  const described = textOf(scheme.description, 300);
  const help = (otherwise: string) => (described === "" ? otherwise : described);
  const type = textOf(scheme.type, 50);
  const name = textOf(scheme.name, 200);
  if (type === "http" && textOf(scheme.scheme, 50).toLowerCase() === "basic") {
    return { type: "basic", help: help("A user name and a password.") };
  }
  if (type === "http") return { type: "bearer", help: help("A token.") };
  if (type === "openIdConnect") return { type: "bearer", help: help("An access token.") };
  if (type === "apiKey" && (scheme.in === "header" || scheme.in === "query") && name !== "") {
    return { type: scheme.in, name, help: help("An API key, as the value.") };
  }
  if (type !== "oauth2") return null;
  const flows = document.meant(scheme.flows) ?? {};
  const flow = document.meant(flows.authorizationCode) ?? document.meant(flows.clientCredentials);
  if (flow === null) return { type: "bearer", help: help("An access token.") };
  const scopes = isObject(flow.scopes) ? Object.keys(flow.scopes) : [];
  const [authorizationUrl, tokenUrl] = [textOf(flow.authorizationUrl, 2_000), textOf(flow.tokenUrl, 2_000)];
  return {
    type: "oauth2",
    help: help("Your own application."),
    ...(authorizationUrl === "" ? {} : { authorizationUrl }),
    ...(tokenUrl === "" ? {} : { tokenUrl }),
    ...(scopes.length === 0 ? {} : { scopes: textOf(scopes.join(" "), 2_000) }),
  };
}
