// Flows for tests, written as names with arrows between them.
import { settleBranches } from "../branches.ts";
import { compileGraph, type Graph } from "../compile.ts";
import type { FlowDefinition, FlowEdge, FlowNode } from "../flow.ts";
import type { JsonObject } from "../json.ts";
import { handlesOf, type NodeTraits, type NodeTypes } from "../node-types.ts";
import { jsonText, type Outcome } from "../outcome.ts";
import type { Begun, NodeWork, RunIo } from "../run.ts";
import type { Step } from "../step.ts";

export function node(id: string, type = "step", config: JsonObject = {}): FlowNode {
  return { id, type, name: id, position: { x: 0, y: 0 }, config };
}

/** `a -> b`, or `a:handle -> b` for an edge that leaves by a handle. */
export function edge(arrow: string, overrides: Partial<FlowEdge> = {}): FlowEdge {
  const [from = "", target = ""] = arrow.split(" -> ");
  const [source = "", handle] = from.split(":");
  return { source, target, ...(handle === undefined ? {} : { sourceHandle: handle }), ...overrides };
}

const testTraits: Readonly<Record<string, NodeTraits>> = {
  step: { handles: { fixed: [] } },
  "if-else": {
    handles: { fixed: ["true", "false"], labels: { true: ["yes", "then"], false: ["no", "else"] } },
  },
  switch: { handles: { fixed: ["default"], each: "cases" } },
  wait: { handles: { fixed: ["resumed", "timeout"], plain: "resumed" }, waitsFor: "call" },
  loop: { handles: { fixed: [] }, hasBody: true },
  stepping: { handles: { fixed: [] }, steps: "step" },
  stop: { handles: { fixed: [] }, ends: true },
};

/** These tests' node types: the traits of the service's own, without their behaviour. */
export const testTypes: NodeTypes = {
  known: () => ["step", "if-else", "switch"],
  traits: (type) => (Object.hasOwn(testTraits, type) ? testTraits[type] : undefined),
  handles: (type, config) => {
    const spec = testTypes.traits(type)?.handles;
    return spec === undefined ? undefined : handlesOf(spec, config);
  },
};

export function definitionOf(nodes: readonly (string | FlowNode)[], arrows: readonly (string | FlowEdge)[]) {
  const definition: FlowDefinition = {
    trigger: { type: "manual", config: {} },
    nodes: nodes.map((item) => (typeof item === "string" ? node(item) : item)),
    edges: arrows.map((item) => (typeof item === "string" ? edge(item) : item)),
    variables: {},
  };
  return definition;
}

export function graphOf(nodes: readonly (string | FlowNode)[], arrows: readonly (string | FlowEdge)[]): Graph {
  const definition = definitionOf(nodes, arrows);
  return compileGraph(
    definition,
    settleBranches(definition.nodes, definition.edges, testTypes.traits),
    testTypes.traits,
  );
}

export function done(value: unknown, handle: string | null = null): Outcome {
  return { status: "completed", output: jsonText(value), handle };
}

export const failure: Outcome = { status: "failed", error: { message: "it broke", code: "BROKEN" } };

/** Records nothing; the test controls waits, by step. */
export function plainIo(wait: RunIo["wait"] = () => Promise.resolve(null)): RunIo {
  return { task: (_, work) => work(), wait, finish: (_, work) => work() };
}

/** Nodes whose work is `begin`; one that waits returns what woke it. */
export function workOf(begin: NodeWork["begin"]): NodeWork {
  return { begin, resume: async (_, __, wake) => done(wake.value), join: async (_, outcome) => outcome };
}

/** Nodes whose ends the test controls. */
export class Stage {
  readonly started: string[] = [];
  readonly #open = new Map<string, (begun: Begun) => void>();

  readonly begin = ({ id }: Step): Promise<Begun> => {
    this.started.push(id);
    return new Promise((resolve) => this.#open.set(id, resolve));
  };

  /** Ends a running node, and waits until everything that follows has happened. */
  async end(id: string, outcome: Begun = done(id)): Promise<void> {
    const resolve = this.#open.get(id);
    if (resolve === undefined) throw new Error(`"${id}" is not in progress`);
    this.#open.delete(id);
    resolve(outcome);
    await settle();
  }

  get pending(): string[] {
    return [...this.#open.keys()];
  }
}

/** Resolves when nothing more happens by itself. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
