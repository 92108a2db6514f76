import type { OperationServer } from "#lib/services/model/service.ts";
import { type Document, type Found, textOf } from "./references.ts";
import { isName } from "./simple-schema.ts";

const variablesMax = 20;
const choicesMax = 100;

/** A server of a document: its URL and its variables. */
export interface FoundServer {
  readonly baseUrl: string;
  /** Absolute, with `{name}` for each variable. */
  readonly url: string;
  readonly variables: Readonly<Record<string, FoundVariable>>;
}

interface FoundVariable {
  /** Null if the document has none, although it must. */
  readonly default: string | null;
  /** Any value if empty. */
  readonly choices: readonly string[];
  readonly description: string;
}

/**
 * The first of a list of servers. A relative URL is resolved against the document's own, `from`, as the specification
 * says; for a document without a URL, against the servers of the level above. Null if it cannot be called.
 */
export function serverOf(document: Document, servers: unknown, from: string | null): FoundServer | null {
  const server = Array.isArray(servers) ? document.meant(servers[0]) : null;
  const written = textOf(server?.url, 2_000);
  if (server === null || written === "") return null;
  const variables = variablesOf(document, document.meant(server.variables) ?? {}, written);
  if (Object.values(variables).some((variable) => variable.default === null)) return null;
  const url = (from === null ? written : absolute(written, from)).replace(/[?#].*$/, "").replace(/\/+$/, "");
  const filled = url.replace(/\{([^{}]+)\}/g, (_, name: string) => variables[name]?.default ?? "");
  const parsed = URL.canParse(filled) ? new URL(filled) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== "") return null;
  return { baseUrl: parsed.origin + parsed.pathname.replace(/\/+$/, ""), url, variables };
}

function absolute(written: string, from: string): string {
  if (/^([a-z][a-z0-9+.-]*:|\{)/i.test(written) || !URL.canParse(from)) return written;
  const { protocol, origin } = new URL(from);
  if (written.startsWith("//")) return protocol + written;
  return written.startsWith("/") ? origin + written : new URL(".", from).href + written.replace(/^\.\//, "");
}

function variablesOf(document: Document, given: Found, url: string): Record<string, FoundVariable> {
  const names = [...new Set([...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name))];
  const found: Record<string, FoundVariable> = {};
  for (const name of names.filter(isName).slice(0, variablesMax)) {
    document.step();
    const variable = document.meant(given[name]) ?? {};
    const listed = Array.isArray(variable.enum) ? variable.enum.slice(0, choicesMax) : [];
    const choices = listed.map((text) => textOf(text, 200)).filter((text) => text !== "");
    const usual = typeof variable.default === "string" ? textOf(variable.default, 200) : null;
    const isChoice = usual !== null && (choices.length === 0 || choices.includes(usual));
    found[name] = {
      default: isChoice ? usual : (choices[0] ?? null),
      choices,
      description: textOf(variable.description, 300),
    };
  }
  return found;
}

/** Turns a server's variables into parameters of an operation, renamed if a parameter has the same name. */
export function operationServer(
  { url, variables }: FoundServer,
  taken: ReadonlySet<string>,
): { readonly server: OperationServer; readonly properties: Readonly<Record<string, unknown>> } {
  const properties: Record<string, unknown> = {};
  const named = Object.entries(variables).map(([name, { default: given, choices, description }]) => {
    const usual = given ?? "";
    let parameter = name;
    while (taken.has(parameter) || Object.hasOwn(properties, parameter)) parameter = `server_${parameter}`;
    const fullDescription = [description, usual === "" ? "" : `Default: ${usual}`]
      .filter((text) => text !== "")
      .join(" ");
    const about = { title: parameter, description: `Of the server's address. ${fullDescription}`.trim() };
    properties[parameter] = { ...about, type: "string", ...(choices.length === 0 ? {} : { enum: choices }) };
    return [name, { parameter, default: usual, choices }] as const;
  });
  return { server: { url, variables: Object.fromEntries(named) }, properties };
}
