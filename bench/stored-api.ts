// The API as benchmarks of a full database call it: over HTTP, one call at a time.

export interface Api {
  /** A flow of two nodes, created to be run. */
  readonly flowId: string;
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  trigger(body: unknown): Promise<unknown>;
}

const dayMs = 86_400_000;

export function addDays(days: number): Date {
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
