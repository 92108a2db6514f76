import { parse } from "yaml";
import { documentLimits, type ReadDocument, UnreadableDocument } from "./imported.ts";
import { operationsOf } from "./operations.ts";
import { Document, type Found, isObject, textOf } from "./references.ts";
import { serverOf } from "./servers.ts";
import { credentialKinds } from "./sign-in.ts";

/** An alias refers to another value: with many of them, a small text becomes an enormous value. */
const aliasesMax = 100;

/** Reads an OpenAPI document, of JSON or YAML. `from`: the address that it came from. Never throws. */
export function readDocument(text: string, from: string | null): ReadDocument {
  try {
    const root = parsed(text);
    requireVersion(root);
    requireShallow(root);
    const document = new Document(root);
    // Without any, the server is where the document is.
    const servers =
      Array.isArray(root.servers) && root.servers.length > 0 ? root.servers : [{ url: from === null ? "" : "/" }];
    const server = serverOf(document, servers, from);
    const { operations, skipped } = operationsOf(document, { server, from: from ?? server?.baseUrl ?? null });
    const bytes = operations.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0);
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
    const why = error instanceof Error ? textOf(error.message.split("\n", 1)[0], 200) : "";
    throw new UnreadableDocument(`is neither JSON nor YAML: ${why}`);
  }
}

function requireVersion({ openapi, swagger }: Found): void {
  if (typeof openapi === "string" && /^3\.[01](\.|$)/.test(openapi)) return;
  const found = textOf(openapi ?? swagger, 20);
  const told = found === "" ? "it does not say its version" : `it is of version ${found}`;
  throw new UnreadableDocument(`must be OpenAPI 3.0 or 3.1: ${told}`);
}

/** Walks level by level, so that no nesting exhausts the stack. What aliases share is walked once. */
function requireShallow(root: Found): void {
  let level: object[] = [root];
  const seen = new Set<object>(level);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > documentLimits.levels) {
      throw new UnreadableDocument(`is nested deeper than ${documentLimits.levels} levels`);
    }
    const next: object[] = [];
    for (const one of level) {
      for (const value of Object.values(one)) {
        if (typeof value !== "object" || value === null || seen.has(value)) continue;
        seen.add(value);
        next.push(value);
      }
    }
    level = next;
  }
}
