// Builds workflows as n8n exports them: nodes with parameters, and connections by name.
import type { JsonObject } from "#lib/engine/json.ts";
import type { Recording } from "#lib/replay/recording.ts";

/** A workflow, its input, and its result. All results are worked out by hand. */
export interface Case {
  readonly title: string;
  readonly document: unknown;
  readonly body?: JsonObject;
  readonly recordings?: Readonly<Record<string, Recording>>;
  /** The run's output; undefined if the flow needs the outside to run. */
  readonly output?: unknown;
  readonly failure?: string;
  /** Expected outputs of single nodes. */
  readonly nodes?: Readonly<Record<string, unknown>>;
  /** The requests that nodes would have sent. */
  readonly requests?: Readonly<Record<string, unknown>>;
  /** Each gap's node and the beginning of its reason. */
  readonly gaps?: readonly (readonly [string, string])[];
}

interface NodeOptions {
  readonly version?: number;
  readonly credentials?: JsonObject;
  readonly settings?: JsonObject;
}

let count = 0;

/** A node in n8n's format. A `type` without a package is one of n8n's own. */
export function n8nNode(
  name: string,
  type: string,
  parameters: JsonObject = {},
  { version = 1, credentials, settings = {} }: NodeOptions = {},
): JsonObject {
  count += 1;
  return {
    parameters,
    id: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
    name,
    type: type.includes(".") ? type : `n8n-nodes-base.${type}`,
    typeVersion: version,
    position: [count * 20, 300],
    ...(credentials === undefined ? {} : { credentials }),
    ...settings,
  };
}

/** A document. Links are written `From -> To`, `From:1 -> To` from the second output, `From -> To:1` to the second input. */
export function n8nDocument(
  name: string,
  nodes: readonly JsonObject[],
  links: readonly string[],
  settings: JsonObject = {},
): JsonObject {
  const connections: Record<string, { main: JsonObject[][] }> = {};
  for (const link of links) {
    const [from = "", to = ""] = link.split(" -> ");
    const [source = "", output = "0"] = from.split(":");
    const [target = "", input = "0"] = to.split(":");
    const own = connections[source] ?? { main: [] };
    connections[source] = own;
    while (own.main.length <= Number(output)) own.main.push([]);
    own.main[Number(output)]?.push({ node: target, type: "main", index: Number(input) });
  }
  return {
    name,
    nodes: [...nodes],
    connections,
    active: false,
    settings: { executionOrder: "v1" },
    pinData: {},
    tags: [],
    ...settings,
  };
}

export const webhook = (parameters: JsonObject = {}) =>
  n8nNode(
    "Webhook",
    "webhook",
    { httpMethod: "POST", path: "orders", responseMode: "responseNode", ...parameters },
    { version: 2 },
  );

export const manual = n8nNode("Start", "manualTrigger");

/** A current "Edit Fields" node, by names and values. The type of a computed one may follow its name: `ids:array`. */
export function set(name: string, fields: JsonObject, settings: JsonObject = {}): JsonObject {
  const assignments = Object.entries(fields).map(([field, value]) => {
    const [name = "", type = typeof value === "object" ? "object" : typeof value] = field.split(":");
    return { id: name, name, value, type };
  });
  return n8nNode(name, "set", { assignments: { assignments }, options: {}, ...settings }, { version: 3.4 });
}

/** A condition of the current if, filter and switch nodes. */
export const condition = (
  leftValue: string,
  operation: string,
  rightValue: unknown = "",
  type = "string",
): JsonObject => ({
  options: { caseSensitive: true, leftValue: "", typeValidation: "strict", version: 2 },
  conditions: [{ id: "1", leftValue, rightValue: rightValue as string, operator: { type, operation } }],
  combinator: "and",
});

/** The recorded answer to a request. */
export const answered = (body: unknown, status = 200): Recording => ({ output: { status, headers: {}, body } });
