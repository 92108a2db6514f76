import type { Api } from "#components/api/use-api.ts";
import { traitsIn } from "#components/canvas/flow-graph.ts";
import { ApiError } from "#lib/contract/client.ts";
import { type FlowDraft, openDraft } from "#lib/engine/changes/flow-draft.ts";
import { flowEdges, flowNodes } from "#lib/engine/flow.ts";
import type { ServerFlow } from "../state/server-flow.ts";
import { testTypes } from "./draft-of.ts";

interface Sent {
  readonly body: Partial<FlowDraft>;
  readonly headers: { readonly "if-match": string };
}

const definition = ["trigger", "nodes", "edges", "variables"] as const;

/** One flow on a server, for tests: it keeps what is sent as the API does, and can be told to misbehave. */
export class FakeServer {
  flow: FlowDraft;
  version = 1;
  /** What is done instead of answering the next saves. `lose`: stores, and the answer does not arrive. */
  readonly faults: ("away" | "lose" | 400 | 401 | 403)[] = [];
  /** Awaited before a read is answered with what was there when it was asked. */
  reading: Promise<void> = Promise.resolve();
  saves = 0;
  #changes = 0;

  constructor(flow: FlowDraft) {
    this.flow = flow;
  }

  get #updatedAt(): string {
    return `2026-01-01T00:00:00.${String(this.#changes).padStart(3, "0")}Z`;
  }

  get state(): ServerFlow {
    return { draft: this.flow, version: this.version, updatedAt: this.#updatedAt };
  }

  /** A change by somebody else. */
  change(changes: Partial<FlowDraft>): void {
    this.flow = openDraft({ ...this.flow, ...changes }, traitsIn(testTypes));
    if (definition.some((field) => field in changes)) this.version += 1;
    this.#changes += 1;
  }

  readonly api = {
    call: async () => {
      const { flow, version } = this;
      const updatedAt = this.#updatedAt;
      await this.reading;
      return { ...this.#stored(flow), version, updatedAt, status: "draft" };
    },
    callVersioned: async (_: string, sent: Sent) => {
      this.saves += 1;
      const fault = this.faults.shift();
      if (fault === "away") throw new TypeError("fetch failed");
      if (fault === 401) throw new ApiError(401, "UNAUTHORIZED", "no session", {}, null);
      if (fault === 403) throw new ApiError(403, "FORBIDDEN", "not allowed", {}, null);
      if (fault === 400) {
        const details = { "nodes[0].config.message": "is required" };
        throw new ApiError(400, "VALIDATION_ERROR", "not valid", details, null);
      }
      if (sent.headers["if-match"] !== `"${this.version} ${this.#updatedAt}"`) {
        throw new ApiError(409, "CONFLICT", "stale", {}, null);
      }
      this.change(sent.body);
      if (fault === "lose") throw new TypeError("connection reset");
      return { payload: { updatedAt: this.#updatedAt }, version: this.version };
    },
  } as unknown as Api;

  /** Through JSON, as it would come over the network. */
  #stored(flow: FlowDraft) {
    const stored: FlowDraft = JSON.parse(JSON.stringify(flow));
    return { ...stored, nodes: flowNodes.parse(stored.nodes), edges: flowEdges.parse(stored.edges) };
  }
}
