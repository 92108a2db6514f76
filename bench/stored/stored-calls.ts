// Calls to a server with many stored runs: every list, read, statistic and write, each with its p50 and p95.
// Over HTTP, one call at a time.

export interface Api {
  /** A flow of two nodes, for runs. */
  readonly flowId: string;
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  trigger(body: unknown): Promise<unknown>;
}

const dayMs = 86_400_000;

function addDays(days: number): Date {
  return new Date(Date.now() + days * dayMs);
}

/** A flow that runs at once: its runs are the measured writes. */
const flow = {
  name: "Measured",
  status: "active",
  trigger: { type: "webhook", config: { method: "POST" } },
  nodes: ["first", "second"].map((id) => ({ id, type: "transform", config: { transform: "$trigger.body" } })),
  edges: [{ source: "first", target: "second" }],
};

export async function openApi(url: string, apiKey: string): Promise<Api> {
  const call = async (method: string, address: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const response = await fetch(address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address} answered ${response.status}: ${text.slice(0, 500)}`);
    return text === "" ? null : JSON.parse(text);
  };
  const api = `${url}/api/v1`;
  const { data } = await call("POST", `${api}/flows`, flow);
  return {
    flowId: data.id,
    get: (path) => call("GET", `${api}${path}`),
    post: (path, body) => call("POST", `${api}${path}`, body),
    delete: (path) => call("DELETE", `${api}${path}`),
    trigger: (body) => call("POST", data.trigger.config.url, body),
  };
}

export interface Call {
  readonly name: string;
  /** Makes the n-th call; fails unless the answer is a success. */
  readonly make: (api: Api, turn: number) => Promise<unknown>;
}

const list = (name: string, query: string): Call => ({
  name: `list: ${name}`,
  make: (api) => api.get(`/executions?${query}`),
});
const stats = (name: string, query: string): Call => ({
  name: `stats: ${name}`,
  make: (api) => api.get(`/executions/stats?${query}`),
});
const overview = (name: string, query: string): Call => ({
  name: `overview: ${name}`,
  make: (api) => api.get(`/executions/overview?${query}`),
});

const time = (days: number) => addDays(days).toISOString();
const day = (days: number) => time(days).slice(0, 10);
const busyFlow = `flow_${"1".padStart(26, "0")}`;
const quietFlow = `flow_${"40".padStart(26, "0")}`;

export const calls: readonly Call[] = [
  list("newest", "limit=20"),
  list("100 a page", "limit=100"),
  list("a late page", "page=300"),
  list("oldest first, page 2", "order=asc&page=2"),
  list("failed", "status=failed"),
  list("failed or timed out, of a flow", `status=failed,timeout&flowId=${quietFlow}`),
  list("of a flow", `flowId=${busyFlow}`),
  list("the last 7 days", `startDate=${time(-7)}`),
  list("between two times", `startDate=${time(-40.3)}&endDate=${time(-3.4)}`),
  list("from a schedule", "source=schedule"),
  list("longest first", "sortBy=duration"),
  list("longest first, of a flow", `sortBy=duration&flowId=${busyFlow}`),
  list("longest first, failed, 7 days", `sortBy=duration&status=failed&startDate=${time(-7)}`),
  list("last ended first", "sortBy=completedAt"),
  list("longer than 5 s", "minDuration=5000"),
  list("a text", "search=order-99"),
  stats("all", "groupBy=day"),
  stats("by month", "groupBy=month"),
  stats("of a flow", `groupBy=day&flowId=${busyFlow}`),
  stats("whole days", `groupBy=day&startDate=${day(-30)}&endDate=${day(-1)}`),
  stats("between two times", `groupBy=day&startDate=${time(-40.3)}&endDate=${time(-3.4)}`),
  overview("7 days by the hour", `startDate=${time(-7)}&bucket=hour`),
  overview("90 days", `startDate=${time(-90)}`),
  { name: "flows: list", make: (api) => api.get("/flows?limit=50") },
  { name: "flows: search", make: (api) => api.get("/flows?search=number+4&sortBy=name") },
  { name: "flows: read", make: (api) => api.get(`/flows/${busyFlow}`) },
  {
    name: "execution: read, whole",
    make: (api, turn) => api.get(`${stored(turn)}?includeLogs=true&includeNodeOutputs=true`),
  },
  { name: "execution: logs", make: (api, turn) => api.get(`${stored(turn)}/logs`) },
  { name: "write: trigger URL", make: (api, turn) => api.trigger({ total: turn }) },
  {
    name: "write: execute and wait",
    make: (api, turn) => api.post(`/flows/${api.flowId}/execute`, { data: { turn }, async: false }),
  },
  { name: "write: delete a run", make: (api, turn) => api.delete(stored(1_000 + turn)) },
];

/** The path of a seeded run. */
const stored = (turn: number) => `/executions/exec_0${String(turn + 1).padStart(25, "0")}`;
