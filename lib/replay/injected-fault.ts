import { durationInWords } from "#lib/duration.ts";
import type { Fault } from "#lib/engine/faults.ts";
import type { FlowNode } from "#lib/engine/flow.ts";
import type { Step } from "#lib/engine/step.ts";
import type { OutboundAnswer, OutboundRequest } from "#lib/nodes/http-request/outbound-request.ts";
import { effectOf, nodeDefinition } from "#lib/nodes/registry.ts";
import { type RecordedOutcome, startedId } from "./recording.ts";

/** Ends a process: the run resumes in the next one, from its records. */
export class ProcessDied extends Error {}

/** Faults that never reach a receiver, or that it refuses. */
const withoutEffect: ReadonlySet<Fault> = new Set(["no-answer", "status-429", "killed-before"]);

const requestFaults: readonly Fault[] = [
  ...(["no-answer", "timeout", "status-500", "status-429"] as const),
  ...(["bad-json", "empty", "killed-before", "killed-after"] as const),
];
const startFaults: readonly Fault[] = ["killed-before", "killed-after"];
/** One that is waited for may bring nothing, or no end. */
const subFlowFaults: readonly Fault[] = ["timeout", "empty", ...startFaults];

/**
 * What may go wrong with a node: nothing where it does not act outside of its run, nor where it acts in the database, whose
 * transactions are whole or not at all.
 */
export function faultsOf({ type, disabled, config }: FlowNode): readonly Fault[] {
  const definition = nodeDefinition(type);
  if (definition === undefined || disabled === true) return [];
  if (definition.sends !== undefined) return requestFaults;
  if (definition.waitsFor !== "execution") return [];
  return config.wait === false ? startFaults : subFlowFaults;
}

/** One thing that goes wrong at one node, the first time that the run gets there, and not again. */
export class InjectedFault {
  readonly nodeId: string;
  readonly fault: Fault;
  /** The step that it struck; null before. */
  step: Step | null = null;
  /** Times that this step tried to act. */
  attempts = 0;
  /** The keys of its requests that may have had an effect at the receiver; null for one without. */
  readonly keys: (string | null)[] = [];
  /** Steps with an effect that were in progress when the process died: which of them had acted, their records do not say. */
  readonly beside: Step[] = [];
  /** By what receivers know what steps sent, by step. */
  readonly sent = new Map<string, string | null>();
  readonly #underWay = new Map<string, { readonly step: Step; readonly beside: Step[] }>();
  /** Nodes that have no recording, because the run does not reach them without the fault. */
  readonly assumed = new Set<string>();

  constructor(nodeId: string, fault: Fault) {
    this.nodeId = nodeId;
    this.fault = fault;
  }

  /** True when something outside may have been changed twice. */
  get isRepeated(): boolean {
    return this.step !== null && this.keys.length > 1 && effectOf(this.step.node.node) === "write";
  }

  /** A step that acts outside has its turn, or waits for it: in a run, all of these act at the same time. */
  enter(step: Step): void {
    const isOwn = step.node.node.id === this.nodeId;
    const others = [...this.#underWay.values()];
    for (const other of others) if (other.step.node.node.id === this.nodeId) other.beside.push(step);
    this.#underWay.set(step.id, { step, beside: isOwn ? others.map((other) => other.step) : [] });
  }

  leave({ id }: Step): void {
    this.#underWay.delete(id);
  }

  /** A step sends something. `key`: by which its receiver knows a repetition. */
  sends({ id }: Step, key: string | null): void {
    this.sent.set(id, key);
  }

  /** What a request gets in the place of its answer; null: nothing is wrong with it. Throws what ends the process. */
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

  /** The same for the start of a sub-flow. Its id follows from the step, so that it is never started twice. */
  start(step: Step): RecordedOutcome | null {
    const fault = this.#strike(step);
    if (fault === "timeout") {
      return { error: { code: "SUB_FLOW_FAILED", message: "The execution of the sub-flow ended as timeout" } };
    }
    return fault === "empty" ? { output: { executionId: startedId, status: "completed", output: null } } : null;
  }

  /** The result of a step without a recording: it succeeds, with no output. */
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
      this.beside.push(...(this.#underWay.get(step.id)?.beside ?? []));
      throw new ProcessDied(this.fault);
    }
    return this.fault;
  }
}

const json = { "content-type": "application/json" };

function outboundError(code: string, message: string): Error {
  return Object.assign(new Error(message), { name: "OutboundError", code });
}
