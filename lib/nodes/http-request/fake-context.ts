import { type NodeContext, type NodeCredential, NodeFailure, type NodeResult } from "../define.ts";
import { httpRequest } from "../http-request.ts";
import type { OutboundRequest } from "./outbound-request.ts";

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** An error of the outbound client; nodes recognize it by name. */
export class FakeOutboundError extends Error {
  readonly code: string;

  constructor(code: string, message = "It did not work") {
    super(message);
    this.name = "OutboundError";
    this.code = code;
  }
}

export interface FakeRun {
  readonly context: NodeContext;
  readonly sent: OutboundRequest[];
  readonly slept: number[];
  readonly logs: { level: string; message: string; data: unknown }[];
  retries(): number;
}

/** A context whose client gives these answers in order, repeating the last one. Sleeps resolve at once. */
export function fakeRun(
  answers: readonly (FakeAnswer | Error)[] = [{}],
  credential?: Partial<NodeCredential>,
): FakeRun {
  const sent: OutboundRequest[] = [];
  const slept: number[] = [];
  const logs: FakeRun["logs"] = [];
  let retries = 0;
  const context: NodeContext = {
    input: () => null,
    inputs: () => [],
    isConnected: () => false,
    workspaceId: "ws_1",
    executionId: "exec_1",
    stepId: "call",
    place: null,
    depth: 0,
    idempotencyKey: async () => "exec_1.call",
    signal: new AbortController().signal,
    log: (level, message, data) => void logs.push({ level, message, data }),
    retried: () => {
      retries++;
    },
    async request(request) {
      const answer = answers[Math.min(sent.push(request), answers.length) - 1] ?? {};
      if (answer instanceof Error) throw answer;
      return { status: answer.status ?? 200, headers: answer.headers ?? {}, body: Buffer.from(answer.body ?? "") };
    },
    async credential(name) {
      if (credential === undefined) throw new NodeFailure("CREDENTIAL_NOT_FOUND", `There is no credential "${name}"`);
      return { name, type: "bearer", data: {}, allowedHosts: [], ...credential };
    },
    open: () => Promise.reject(new Error("not needed here")),
    operation: () => Promise.reject(new Error("not needed here")),
    evaluateOver: () => Promise.reject(new Error("not needed here")),
    files: {} as NodeContext["files"],
    startFlow: () => Promise.reject(new Error("not needed here")),
    sendMail: () => Promise.reject(new Error("not needed here")),
    generate: () => Promise.reject(new Error("not needed here")),
    listTools: () => Promise.reject(new Error("not needed here")),
    callTool: () => Promise.reject(new Error("not needed here")),
    sql: () => Promise.reject(new Error("not needed here")),
    table: () => Promise.reject(new Error("not needed here")),
    turn: () => Promise.reject(new Error("not needed here")),
    areNew: () => Promise.reject(new Error("not needed here")),
    evaluate: () => Promise.reject(new Error("not needed here")),
    now: () => 0,
    async sleep(ms) {
      slept.push(ms);
    },
    random: () => 0.5,
  };
  return { context, sent, slept, logs, retries: () => retries };
}

/** Runs the node with a config as written in a flow. */
export async function runHttpRequest(config: object, run: FakeRun): Promise<NodeResult> {
  const parsed = httpRequest.config.parse({ url: "https://api.test/path", ...config });
  const begun = await httpRequest.run(parsed, run.context);
  if (!("output" in begun)) throw new Error("a request has its result at once");
  return begun;
}
