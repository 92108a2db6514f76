// The API of a given server, for tests that start and stop servers.
import { type Answer, type CallOptions, call } from "./api-client.ts";
import { eventually } from "./eventually.ts";
import type { TestExecution } from "./flows.ts";

type Address = { readonly url: string; readonly apiKey: string };
type Json = Record<string, unknown>;

const finalStatuses = ["completed", "failed", "cancelled", "timeout"];

export class ServerClient {
  readonly #server: Address;

  constructor(server: Address) {
    this.#server = server;
  }

  call<Data>(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer<Data>> {
    const { url, apiKey } = this.#server;
    return call<Data>(method, path, body, { base: `${url}/api/v1`, key: apiKey, ...options });
  }

  /** Stores a flow and returns its id. */
  async createFlow(nodes: Json[], edges: Json[] = []): Promise<string> {
    const flow = { name: "Test", trigger: { type: "webhook" }, nodes, edges };
    return (await this.#must<{ id: string }>("POST", "/flows", flow)).id;
  }

  /** Starts a run in the background and returns its id. */
  async start(flowId: string, data: Json = {}): Promise<string> {
    return (await this.#must<{ executionId: string }>("POST", `/flows/${flowId}/execute`, { data })).executionId;
  }

  async read(id: string): Promise<TestExecution> {
    return await this.#must<TestExecution>("GET", `/executions/${id}?includeNodeOutputs=true&includeLogs=true`);
  }

  /** Waits for the run's end; the server may be unreachable meanwhile. */
  async ended(id: string, waitMs?: number): Promise<TestExecution> {
    return await eventually(
      `the execution ${id} ends`,
      async () => {
        const execution = await this.read(id).catch(() => undefined);
        return execution && finalStatuses.includes(execution.status) ? execution : undefined;
      },
      waitMs,
    );
  }

  async allEnded(ids: readonly string[], waitMs?: number): Promise<TestExecution[]> {
    const executions: TestExecution[] = [];
    for (const id of ids) executions.push(await this.ended(id, waitMs));
    return executions;
  }

  async #must<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const answer = await this.call<Data>(method, path, body);
    if (answer.status < 300) return answer.data;
    throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  }
}
