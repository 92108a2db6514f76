import type { Api } from "#components/api/use-api.ts";
import { traitsIn } from "#components/canvas/flow-graph.ts";
import { ApiError } from "#lib/contract/client.ts";
import { isDeepEqual } from "#lib/engine/changes/deep-equal.ts";
import { type FlowDraft, openDraft } from "#lib/engine/changes/flow-draft.ts";
import { type FlowStatus, flowEdges, flowNodes } from "#lib/engine/flow.ts";
import type { ServerFlow } from "../state/server-flow.ts";
import { testTypes } from "./draft-of.ts";

interface Sent {
  readonly signal?: AbortSignal;
  readonly body: Partial<FlowDraft>;
  readonly headers: { readonly "if-match": string };
}

const definition = ["trigger", "nodes", "edges", "variables"] as const;
const isContent = (field: string) => field === "name" || definition.some((other) => other === field);

interface Copy {
  readonly definition: FlowDraft;
  readonly basedOn: number;
}

interface Called {
  readonly params: { readonly version?: string };
  readonly body?: {
    readonly definition?: FlowDraft;
    readonly basedOn?: number;
    readonly flowUpdatedAt?: string;
    readonly ifVersion?: number;
    readonly summary?: string | null;
  };
  readonly headers?: { readonly "if-match"?: string };
}

/** A server with one flow, for tests: it stores what is sent like the API does, and can be made to misbehave. */
export class FakeServer {
  flow: FlowDraft;
  version = 1;
  /** What happens to the next saves instead. `lose`: stores, but the response is lost; `hang`: there is no response. */
  readonly faults: ("away" | "lose" | "hang" | 400 | 401 | 403)[] = [];
  /** Awaited before a read is answered with the state at its start. */
  reading: Promise<void> = Promise.resolve();
  /** The answer to a check of the flow. */
  checking: Promise<object> = Promise.resolve({ problems: [], advice: [] });
  saves = 0;
  /** Versions that cannot be read. */
  readonly lostVersions = new Set<number>();
  status: FlowStatus = "draft";
  copy: Copy | null = null;
  revision = 0;
  /** The summaries of published versions. */
  readonly summaries: (string | null | undefined)[] = [];
  readonly #versions = new Map<number, FlowDraft>();
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

  /** Simulates someone else's change. */
  change(changes: Partial<FlowDraft>): void {
    const before = this.flow;
    this.flow = openDraft({ ...before, ...changes }, traitsIn(testTypes));
    if (definition.some((field) => field in changes)) {
      this.#versions.set(this.version, before);
      this.version += 1;
    }
    this.#changes += 1;
  }

  readonly api = {
    call: async (operation: string, sent: Called) => {
      if (operation === "readFlowVersion") return this.#stored(this.#at(Number(sent.params.version)));
      if (operation === "readDraft") return this.#shownCopy();
      if (operation === "writeDraft") return this.#write(sent);
      if (operation === "discardDraft") return this.#discard(sent);
      if (operation === "publishFlow") return this.#publish(sent);
      if (operation === "restoreFlowVersion") return this.#restore(sent);
      if (operation === "checkFlow") return await this.checking;
      const { flow, version, status, revision } = this;
      const updatedAt = this.#updatedAt;
      const draft = this.copy === null ? null : { revision, basedOn: this.copy.basedOn, updatedAt };
      await this.reading;
      return { ...this.#stored(flow), version, updatedAt, status, draft };
    },
    callVersioned: async (_: string, sent: Sent) => {
      this.saves += 1;
      const fault = this.#misbehave();
      if (fault === "hang") await new Promise((_, reject) => sent.signal?.addEventListener("abort", reject));
      if (sent.headers["if-match"] !== `"${this.version} ${this.#updatedAt}"`) {
        throw new ApiError(409, "CONFLICT", "stale", {}, null);
      }
      this.change(sent.body);
      if (fault === "lose") throw new TypeError("connection reset");
      return { payload: { updatedAt: this.#updatedAt }, version: this.version };
    },
  } as unknown as Api;

  #misbehave(): FakeServer["faults"][number] | undefined {
    const fault = this.faults.shift();
    if (fault === "away") throw new TypeError("fetch failed");
    if (fault === 401) throw new ApiError(401, "UNAUTHORIZED", "no session", {}, null);
    if (fault === 403) throw new ApiError(403, "FORBIDDEN", "not allowed", {}, null);
    if (fault === 400) {
      const details = { "nodes[0].config.message": "is required" };
      throw new ApiError(400, "VALIDATION_ERROR", "not valid", details, null);
    }
    return fault;
  }

  #at(version: number): FlowDraft {
    if (this.lostVersions.has(version)) throw new TypeError("fetch failed");
    const found = version === this.version ? this.flow : this.#versions.get(version);
    if (found === undefined) throw new ApiError(404, "NOT_FOUND", "no such version", {}, null);
    return found;
  }

  #requireRevision({ headers }: Called): void {
    const revision = this.copy === null ? 0 : this.revision;
    if (headers?.["if-match"] === `"${revision}"`) return;
    throw new ApiError(409, "CONFLICT", "stale", { currentRevision: revision }, null);
  }

  #write(sent: Called) {
    const fault = this.#misbehave();
    this.#requireRevision(sent);
    const { definition: content, basedOn = this.version, flowUpdatedAt } = sent.body ?? {};
    if (flowUpdatedAt !== this.#updatedAt) throw new ApiError(409, "CONFLICT", "stale", {}, null);
    if (content === undefined) throw new Error("no definition was sent");
    this.revision += 1;
    this.copy = { definition: JSON.parse(JSON.stringify(content)), basedOn };
    if (fault === "lose") throw new TypeError("connection reset");
    return this.#shownCopy();
  }

  #shownCopy() {
    if (this.copy === null) throw new ApiError(404, "NOT_FOUND", "no working copy", {}, null);
    const { definition: content, basedOn } = this.copy;
    const before = this.#at(basedOn);
    const changed = [...definition, "name" as const].filter((field) => !isDeepEqual(content[field], before[field]));
    const changes = changed.map((path) => ({ path, kind: "changed", summary: path }));
    const { revision, version: currentVersion } = this;
    const summary = changed.join("; ");
    return { definition: content, basedOn, currentVersion, revision, changes, summary, problems: [] };
  }

  #discard(sent: Called): null {
    this.#requireRevision(sent);
    this.copy = null;
    return null;
  }

  #restore({ params, headers }: Called): null {
    const isCurrent = headers?.["if-match"] === `"${this.version} ${this.#updatedAt}"`;
    if (!isCurrent) throw new ApiError(409, "CONFLICT", "stale", {}, null);
    const { trigger, nodes, edges, variables } = this.#at(Number(params.version));
    this.change({ trigger, nodes, edges, variables });
    return null;
  }

  #publish(sent: Called) {
    const { copy, version } = this;
    if (copy === null) throw new ApiError(404, "NOT_FOUND", "no working copy", {}, null);
    this.#requireRevision(sent);
    if (copy.basedOn !== version || sent.body?.ifVersion !== version) {
      const details = { currentVersion: version, basedOn: copy.basedOn };
      throw new ApiError(409, "CONFLICT", "changed since", details, null);
    }
    const fault = this.#misbehave();
    const content = Object.entries(copy.definition).filter(([field]) => isContent(field));
    this.change(Object.fromEntries(content));
    this.copy = null;
    this.summaries.push(sent.body.summary);
    if (fault === "lose") throw new TypeError("connection reset");
    return { version: this.version };
  }

  /** Copies through JSON, as over the network. */
  #stored(flow: FlowDraft) {
    const stored: FlowDraft = JSON.parse(JSON.stringify(flow));
    return { ...stored, nodes: flowNodes.parse(stored.nodes), edges: flowEdges.parse(stored.edges) };
  }
}
