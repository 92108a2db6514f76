// The ways to drive a run, behind one interface: a flow's result must not depend on the way.
import { eventually } from "../eventually.ts";
import type { TestExecution, TestFlow } from "../flows.ts";
import { ServerClient } from "../server-client.ts";

type Json = Record<string, unknown>;
type Address = { readonly url: string; readonly apiKey: string };

/** `inline`: while the caller waits. `background`: by a worker of the server, or through Inngest. */
export type Mode = "inline" | "background";

export class Driver {
  readonly client: ServerClient;
  readonly #server: Address;
  readonly #mode: Mode;

  constructor(server: Address, mode: Mode) {
    this.#server = server;
    this.#mode = mode;
    this.client = new ServerClient(server);
  }

  async createFlow(flow: Json): Promise<TestFlow> {
    const body = { name: "Test", trigger: { type: "webhook" }, nodes: [], ...flow };
    const answer = await this.client.call<TestFlow>("POST", "/flows", body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.data;
  }

  /** Starts a run and returns its id at once. */
  async start(flowId: string, data: Json = {}): Promise<string> {
    if (this.#mode === "background") return await this.client.start(flowId, data);
    const before = await this.#runsOf(flowId);
    // Ignored: it resolves when the run ends, but the test reads the run's record, and the server may be gone by then.
    void this.client.call("POST", `/flows/${flowId}/execute`, { data, async: false }).catch(() => {});
    return await eventually("the run begins", async () => {
      return (await this.#runsOf(flowId)).find((id) => !before.includes(id));
    });
  }

  /** Runs a flow to its end and returns the record. */
  async run(flow: Json, data: Json = {}): Promise<TestExecution> {
    const { id } = await this.createFlow(flow);
    if (this.#mode === "background") return await this.client.ended(await this.client.start(id, data), 60_000);
    const body = { data, async: false };
    const answer = await this.client.call<{ executionId: string }>("POST", `/flows/${id}/execute`, body);
    if (answer.status !== 200) throw new Error(`${this.#server.url} answered ${answer.status}: ${answer.text}`);
    return await this.client.read(answer.data.executionId);
  }

  async #runsOf(flowId: string): Promise<string[]> {
    const answer = await this.client.call<{ id: string }[]>("GET", `/executions?flowId=${flowId}&limit=100`);
    return answer.data.map(({ id }) => id);
  }
}
