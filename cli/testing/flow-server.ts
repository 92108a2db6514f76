// An in-memory server for tests of the command line: flows with versions, `If-Match`, and idempotency keys.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readAll } from "node:stream/consumers";

export interface StoredFlow {
  id: string;
  version: number;
  status: string;
  name: string;
  tests?: unknown[];
  [field: string]: unknown;
}

export interface FlowServer {
  readonly url: string;
  readonly flows: Map<string, StoredFlow>;
  /** The requests so far, as method and path, in order. */
  readonly calls: string[];
  /** Runs before a request is answered, to simulate another user's change or an error. */
  before: ((call: string) => number | undefined) | undefined;
  close(): Promise<void>;
}

export const key = "a-key-of-the-tests";

export async function flowServer(): Promise<FlowServer> {
  const flows = new Map<string, StoredFlow>();
  const made = new Map<string, StoredFlow>();
  const calls: string[] = [];
  const state: Pick<FlowServer, "before"> = { before: undefined };
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    const call = `${request.method} ${request.url?.replace("/api/v1", "")}`;
    calls.push(call);
    const [status, answer, etag] = answerTo(request, call, body);
    response.writeHead(status, { "content-type": "application/json", ...(etag === undefined ? {} : { etag }) });
    response.end(answer === undefined ? undefined : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  function answerTo({ headers }: IncomingMessage, call: string, body: string): [number, unknown?, string?] {
    const refuse = (status: number, code: string, details = {}): [number, unknown] => [
      status,
      { error: { code, message: code.toLowerCase(), details } },
    ];
    if (headers.authorization !== `Bearer ${key}`) return refuse(401, "UNAUTHORIZED");
    const failure = state.before?.(call);
    if (failure !== undefined) return refuse(failure, "INTERNAL_ERROR");
    const [, method, id = "", action] = /^(\w+) \/flows\/?([^/?]*)(?:\/(\w+))?/.exec(call) ?? [];
    const flow = flows.get(id);
    if (id !== "" && flow === undefined) return refuse(404, "NOT_FOUND");
    const sent = body === "" ? {} : JSON.parse(body);
    if (method === "POST" && id === "") {
      const again = String(headers["idempotency-key"]);
      const known = made.get(again);
      if (known !== undefined) return [201, { data: known }, `"${known.version}"`];
      const flowId = `flow_${String(flows.size + made.size + 1).padStart(26, "0")}`;
      const created = { ...withMethod(sent), tests: withTimes(sent.tests), id: flowId, version: 1 };
      made.set(again, created);
      flows.set(created.id, created);
      return [201, { data: created }, `"${created.version}"`];
    }
    if (flow === undefined) {
      const items = [...flows.values()];
      return [200, { data: items, pagination: { page: 1, limit: 100, total: items.length, hasNext: false } }];
    }
    if (action === "export") {
      const { name, description = null, tags, trigger, nodes, edges, variables, settings, tests } = flow;
      const labels = Array.isArray(tags) && tags.length > 0 ? { tags } : {};
      const document = {
        name,
        description,
        ...labels,
        trigger,
        nodes,
        edges,
        variables,
        ...(settings ? { settings } : {}),
      };
      const own = tests === undefined || tests.length === 0 ? {} : { tests };
      return [200, { version: "1.0.0", exportedAt: new Date(0).toISOString(), flow: document, ...own }];
    }
    const match = headers["if-match"];
    if (method !== "GET" && match !== undefined && match !== `"${flow.version}"`) {
      return refuse(409, "CONFLICT", { currentVersion: flow.version });
    }
    if (method === "PATCH") {
      if (sent.nodes?.some(({ type }: { type: string }) => type === "refused")) {
        return refuse(400, "VALIDATION_ERROR", { "nodes[0].type": "unknown node type" });
      }
      const tests = withTimes(sent.tests, flow.tests);
      Object.assign(flow, withMethod(sent), { version: flow.version + 1 }, tests === undefined ? {} : { tests });
    }
    if (method === "DELETE") flows.delete(id);
    return method === "DELETE" ? [204] : [200, { data: flow }, `"${flow.version}"`];
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    flows,
    calls,
    get before() {
      return state.before;
    },
    set before(work) {
      state.before = work;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

type Test = { readonly name: string; readonly now?: string; readonly deep?: boolean };

function withMethod<Sent extends { trigger?: { type: string; config: object } }>(sent: Sent): Sent {
  const { trigger } = sent;
  if (trigger?.type !== "webhook") return sent;
  return { ...sent, trigger: { ...trigger, config: { method: "POST", ...trigger.config } } };
}

/** A test without a time gets the time of its creation; new ones come last. */
function withTimes(tests: Test[] | undefined, before: unknown[] = []): Test[] | undefined {
  const placed = tests?.map((test) => {
    const at = (before as Test[]).findIndex(({ name }) => name === test.name);
    const now = (before as Test[])[at]?.now ?? new Date().toISOString();
    const { deep, ...own } = test;
    return { place: at === -1 ? before.length : at, test: { now, ...own, ...(deep === true && { deep }) } };
  });
  return placed?.toSorted((a, b) => a.place - b.place).map(({ test }) => test);
}

/** A flow with a condition and two texts, as a server returns it. */
export function storedFlow(server: FlowServer, name: string, change: object = {}): StoredFlow {
  const flow: StoredFlow = {
    id: `flow_${String(server.flows.size + 1).padStart(26, "0")}`,
    version: 1,
    status: "draft",
    name,
    trigger: { type: "webhook", config: { method: "POST" } },
    nodes: [
      node("check", "if-else", { condition: "$trigger.body.total > 100" }),
      node("large", "transform", { transform: "'large'" }),
      node("small", "transform", { transform: "'small'" }),
    ],
    edges: [
      { source: "check", target: "large", sourceHandle: "true" },
      { source: "check", target: "small", sourceHandle: "false" },
    ],
    variables: {},
    tests: [test("A large one", 200, "large"), test("A small one", 20, "small")],
    ...change,
  };
  server.flows.set(flow.id, flow);
  return flow;
}

function node(id: string, type: string, config: object) {
  return { id, type, name: id, position: { x: 0, y: 0 }, config };
}

function test(name: string, total: number, output: string) {
  const trigger = { body: { total }, headers: {}, query: {}, method: "POST" };
  return { name, trigger, now: "2026-01-31T10:00:00.000Z", recordings: {}, expect: { status: "completed", output } };
}
