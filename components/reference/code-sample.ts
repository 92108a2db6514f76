import { operations } from "#lib/contract/all.ts";
import type { Json } from "#lib/engine/json.ts";
import type { Operation } from "./operation.ts";

export interface CodeSample {
  readonly language: string;
  readonly text: string;
}

/** An operation's example request. */
interface Call {
  readonly method: string;
  readonly url: string;
  /** True if a key is shown. */
  readonly withKey: boolean;
  readonly body: Json | undefined;
}

/**
 * How to call the operation from a terminal, from JavaScript with and without our client, and from Python. The key
 * comes from `MILLRACE_API_KEY`.
 */
export function codeSamples(operation: Operation): CodeSample[] {
  const { method, base, access, body } = operation;
  const call = {
    method,
    url: base + examplePath(operation),
    withKey: access.takesKeys,
    body: body?.example ?? undefined,
  };
  return [
    { language: "curl", text: inCurl(call) },
    { language: "JavaScript", text: inJavaScript(call) },
    ...withClient(operation),
    { language: "Python", text: inPython(call) },
  ];
}

/** The path with an example for each parameter. */
function examplePath(operation: Operation): string {
  const examples = exampleParams(operation);
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(examples[name] ?? ""));
}

function exampleParams({ path, parameters }: Operation): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const exampleOf = (name: string) =>
    parameters.find((parameter) => parameter.in === "path" && parameter.name === name)?.example;
  return Object.fromEntries(names.map((name) => [name, exampleOf(name) ?? name.toUpperCase()]));
}

/** With `millrace/client`, which has all operations that send and read JSON, but not files. */
function withClient(operation: Operation): CodeSample[] {
  const shape = operations[operation.id]?.shape;
  const { body, access, base } = operation;
  if (shape === undefined || shape === "file" || (body !== null && body.type !== "application/json")) return [];
  const params = exampleParams(operation);
  const [id] = Object.values(params);
  const input = {
    ...(id === undefined ? {} : { params }),
    ...(body?.example === undefined ? {} : { body: body.example }),
  };
  const given =
    Object.keys(input).length === 0 ? "" : JSON.stringify(input, null, 2).replace(/"([A-Za-z_$][\w$]*)":/g, "$1:");
  const key = access.takesKeys ? ", key: env.MILLRACE_API_KEY" : "";
  const lines = [
    ...(access.takesKeys ? ['import { env } from "node:process";'] : []),
    'import { createClient } from "millrace/client";',
    "",
    `const millrace = createClient({ url: ${JSON.stringify(base.replace(/\/api\/v1$/, ""))}${key} });`,
    ...(shape === "stream"
      ? [`for await (const event of millrace.followExecution(${JSON.stringify(id)})) console.log(event);`]
      : [`console.log(await millrace.${operation.id}(${given}));`]),
  ];
  return [{ language: "millrace/client", text: lines.join("\n") }];
}

function inCurl({ method, url, withKey, body }: Call): string {
  const start = method === "GET" || (method === "POST" && body !== undefined) ? "curl" : `curl -X ${method}`;
  const lines = [
    `${start} ${quoted(url)}`,
    ...(withKey ? ['-H "Authorization: Bearer $MILLRACE_API_KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Single-quoted for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function inJavaScript({ method, url, withKey, body }: Call): string {
  const headers = [
    ...(withKey ? ["    Authorization: `Bearer ${env.MILLRACE_API_KEY}`,"] : []),
    ...(body === undefined ? [] : ['    "Content-Type": "application/json",']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? ["  headers: {", ...headers, "  },"] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  const given = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return [
    ...(withKey ? ['import { env } from "node:process";', ""] : []),
    `const response = await fetch(${JSON.stringify(url)}${given});`,
    "if (!response.ok) throw new Error(await response.text());",
    "console.log(await response.text());",
  ].join("\n");
}

function inPython({ method, url, withKey, body }: Call): string {
  const lines = [
    `    ${JSON.stringify(url)},`,
    ...(withKey ? ['    headers={"Authorization": f"Bearer {os.environ[\'MILLRACE_API_KEY\']}"},'] : []),
    ...(body === undefined ? [] : [`    json=${indented(pythonValue(body, ""), "    ")},`]),
  ];
  return [
    ...(withKey ? ["import os", ""] : []),
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...lines,
    ")",
    "response.raise_for_status()",
    "print(response.text)",
  ].join("\n");
}

/** Indents all lines but the first. */
function indented(text: string, by = "  "): string {
  return text.replaceAll("\n", `\n${by}`);
}

/** JSON as Python: `None`, `True`, `False`. */
function pythonValue(value: Json, indent: string): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((item) => inner + pythonValue(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${pythonValue(item, inner)}`);
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join(",\n")},\n${indent}${close}`;
}
