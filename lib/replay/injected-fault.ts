import { durationInWords } from "#lib/duration.ts";
import type { Fault } from "#lib/engine/faults.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { Step } from "#lib/engine/step.ts";
import type { OutboundAnswer, OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import { effectOf, nodeDefinition } from "#lib/nodes/registry.ts";
import { type RecordedOutcome, startedId } from "./recording.ts";

/** Ends a process: the run resumes in the next one, from its records. */
export class ProcessDied extends Error {}

/** Faults in which the request never reaches its receiver, or is refused. */
const withoutEffect: ReadonlySet<Fault> = new Set(["no-answer", "status-429", "killed-before"]);

const requestFaults: readonly Fault[] = [
  ...(["no-answer", "timeout", "status-500", "status-429"] as const),
  ...(["bad-json", "empty", "killed-before", "killed-after"] as const),
];
const startFaults: readonly Fault[] = ["killed-before", "killed-after"];
/** A sub-flow that is waited for may also return nothing, or never end. */
const subFlowFaults: readonly Fault[] = ["timeout", "empty", ...startFaults];

/**
 * The faults that a node can have. None if it does not act outside of its run, or acts only in the database, whose
 * transactions are atomic.
 */
export function faultsOf({ type, disabled, config }: FlowNode): readonly Fault[] {
  const definition = nodeDefinition(type);
  if (definition === undefined || disabled === true) return [];
  if (definition.sends !== undefined) return requestFaults;
  if (definition.waitsFor !== "execution") return [];
  return config.wait === false ? startFaults : subFlowFaults;
}

/** A fault at one node, the first time that the run gets there. */
export class InjectedFault {
  readonly nodeId: string;
  readonly fault: Fault;
  /** The step that it hit; null before. */
  step: Step | null = null;
  /** How often this step tried to act. */
  attempts = 0;
  /** The keys of its requests that may have had an effect at the receiver; null for a request without one. */
  readonly keys: (string | null)[] = [];
  /**
   * Steps with an effect that were in progress when the process died: their records do not show whether they had acted.
   */
  readonly beside: Step[] = [];
  /** The idempotency key that each step sent, by step; null for none. */
  readonly sent = new Map<string, string | null>();
  readonly #inProgress = new Map<string, { readonly step: Step; readonly beside: Step[] }>();
  /** Nodes without a recording: the run does not reach them without the fault. */
  readonly assumed = new Set<string>();

  constructor(nodeId: string, fault: Fault) {
    this.nodeId = nodeId;
    this.fault = fault;
  }

  /** True when something outside may have been changed twice. */
  get isRepeated(): boolean {
    return this.step !== null && this.keys.length > 1 && effectOf(this.step.node.node) === "write";
  }

  /** A step that acts outside starts, or waits for its turn: in a real run, all of these act at the same time. */
  enter(step: Step): void {
    const isOwn = step.node.node.id === this.nodeId;
    const others = [...this.#inProgress.values()];
    for (const other of others) if (other.step.node.node.id === this.nodeId) other.beside.push(step);
    this.#inProgress.set(step.id, { step, beside: isOwn ? others.map((other) => other.step) : [] });
  }

  leave({ id }: Step): void {
    this.#inProgress.delete(id);
  }

  /** A step sends something. `key`: the one by which its receiver recognizes a repetition. */
  sends({ id }: Step, key: string | null): void {
    this.sent.set(id, key);
  }

  /** The faulty answer to a request; null for none. Throws ProcessDied to end the process. */
  answer(step: Step, { url, headers, timeoutMs }: OutboundRequest): OutboundAnswer | null {
    const key = Object.entries(headers).find(([name]) => name.toLowerCase() === "idempotency-key")?.[1] || null;
    this.sends(step, key);
    switch (this.#strike(step, key)) {
      case "no-answer":
        throw outboundError("CONNECT_FAILED", `The connection was refused: ${new URL(url).host}`);
      case "timeout":
        throw outboundError("TIMEOUT", `There was no complete answer within ${durationInWords(timeoutMs)}`);
      case "status-500":
        return { status: 500, headers: {}, body: Buffer.from("") };
      case "status-429":
        return { status: 429, headers: { "retry-after": "1" }, body: Buffer.from("") };
      case "bad-json":
        return { status: 200, headers: json, body: Buffer.from('{"cut": "off') };
      case "empty":
        return { status: 200, headers: json, body: Buffer.from("") };
      case null:
        return null;
    }
  }

  /** The same for the start of a sub-flow. Its id is derived from the step, so it is never started twice. */
  start(step: Step): RecordedOutcome | null {
    const fault = this.#strike(step);
    if (fault === "timeout") {
      return { error: { code: "SUB_FLOW_FAILED", message: "The execution of the sub-flow ended as timeout" } };
    }
    return fault === "empty" ? { output: { executionId: startedId, status: "completed", output: null } } : null;
  }

  /** The assumed result of a step without a recording: it succeeds, without output. */
  assume({ node: { node } }: Step, at: string): RecordedOutcome {
    this.assumed.add(node.id);
    const { waitsFor, sends } = nodeDefinition(node.type) ?? {};
    if (waitsFor === "call") return { output: { body: null, resumedAt: at, resumedBy: null } };
    if (waitsFor === "execution") return { output: { executionId: startedId, status: "completed", output: null } };
    return { output: sends === undefined ? null : { status: 200, headers: {}, body: null } };
  }

  #strike(step: Step, key?: string | null): Exclude<Fault, "killed-before" | "killed-after"> | null {
    if (step.node.node.id !== this.nodeId || (this.step !== null && this.step.id !== step.id)) return null;
    const isFirst = this.step === null;
    this.step = step;
    this.attempts += 1;
    if (key !== undefined && (!isFirst || !withoutEffect.has(this.fault))) this.keys.push(key);
    if (!isFirst) return null;
    if (this.fault === "killed-before" || this.fault === "killed-after") {
      this.beside.push(...(this.#inProgress.get(step.id)?.beside ?? []));
      throw new ProcessDied(this.fault);
    }
    return this.fault;
  }
}

const json = { "content-type": "application/json" };

function outboundError(code: string, message: string): Error {
  return Object.assign(new Error(message), { name: "OutboundError", code });
}
