import { ancestorsOf } from "#lib/engine/compile.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type JsonText, jsonText, visibleOutput } from "#lib/engine/outcome.ts";
import { type Frame, type Iteration, type Step, stepId } from "#lib/engine/step.ts";
import type { Expression } from "#lib/expressions/expressions.ts";
import { resumeUrl } from "./resume-token.ts";
import type { Run } from "./run.ts";

/** What a node's expressions may see, made only as far as they ask for it. */
export interface Scope {
  /** The workspace whose data this is. */
  readonly owner: string;
  /** The output of the node before; at the start `$trigger.body`, in a loop's body the item. */
  readonly input: unknown;
  /** The outputs of all nodes that led here, in the order of the edges. */
  inputs(): { readonly nodeId: string; readonly output: unknown }[];
  /** Whether there is such a name at all. */
  has(name: string): boolean;
  /** A name's value on the server, for plain member paths. */
  value(name: string, expression: Expression): unknown;
  /** JSON text of every name that these expressions mention. */
  json(expressions: readonly Expression[]): Record<string, string>;
}

/** The values of the credentials that expressions read, by name: strings or objects of strings. */
export type CredentialValues = Readonly<Record<string, unknown>>;

/** What one node's expressions may see in this run. */
export function scopeOf(run: Run, step: Step, credentials: CredentialValues): Scope {
  return new StepScope(run, step, credentials);
}

// Read by functions that are there once: a scope is made for every node of every run.
const values: Readonly<Record<string, (scope: StepScope, expression: Expression) => unknown>> = {
  $trigger: ({ run }) => run.trigger,
  $vars: ({ run }) => run.version.variables.value,
  $execution: ({ run }) => ({ id: run.id, startedAt: run.startedAt }),
  $flow: ({ run }) => ({ id: run.flowId, name: run.flowName }),
  $node: ({ run, step }) => nodeBefore(run, step),
  $nodes: ({ step }, expression) => nodesValue(step, expression),
  $switch: ({ step }) => nearestSwitch(step),
  $credentials: ({ credentials }) => credentials,
  $resume: ({ run, step }) => resumeUrls(run, step.frame),
};
const iterationValues: Readonly<Record<string, (iteration: Iteration) => unknown>> = {
  $item: ({ item }) => item.value,
  $index: ({ index }) => index,
};
/** Of names whose JSON text is there already, or is put together from such texts. */
const texts: Readonly<Record<string, (scope: StepScope, expressions: readonly Expression[]) => string>> = {
  $trigger: ({ run }) => run.triggerJson,
  $vars: ({ run }) => run.version.variables.json,
  $nodes: ({ step }, expressions) => nodesJson(step, expressions),
};

class StepScope implements Scope {
  readonly run: Run;
  readonly step: Step;
  readonly credentials: CredentialValues;

  constructor(run: Run, step: Step, credentials: CredentialValues) {
    this.run = run;
    this.step = step;
    this.credentials = credentials;
  }

  get owner(): string {
    return this.run.workspaceId;
  }

  get input(): unknown {
    return nodeBefore(this.run, this.step).output;
  }

  inputs() {
    const { taken, frame } = this.step;
    const sources = taken.map(({ source }) => source).filter((source) => source !== triggerSource);
    return [...new Set(sources)].map((nodeId) => ({ nodeId, output: outputWithin(frame, nodeId)?.value ?? null }));
  }

  has(name: string): boolean {
    return Object.hasOwn(values, name) || (this.step.frame.iteration !== null && Object.hasOwn(iterationValues, name));
  }

  value(name: string, expression: Expression): unknown {
    if (!this.has(name)) return undefined;
    const { iteration } = this.step.frame;
    const ofIteration = iteration === null ? undefined : iterationValues[name];
    return iteration !== null && ofIteration !== undefined ? ofIteration(iteration) : values[name]?.(this, expression);
  }

  json(expressions: readonly Expression[]): Record<string, string> {
    const names = new Set(expressions.flatMap((expression) => expression.names));
    const known = [...names].filter((name) => this.has(name));
    const first = expressions[0] as Expression;
    return Object.fromEntries(
      known.map((name) => [name, texts[name]?.(this, expressions) ?? jsonText(this.value(name, first)).json]),
    );
  }
}

function nodeIds(step: Step, expressions: readonly Expression[]): string[] {
  const own = ancestorsWithin(step);
  if (expressions.some((expression) => expression.nodeIds === null)) return own;
  const wanted = new Set(expressions.flatMap((expression) => expression.nodeIds ?? []));
  return own.filter((id) => wanted.has(id));
}

function nodesJson(step: Step, expressions: readonly Expression[]): string {
  const parts = nodeIds(step, expressions).map((id) => {
    const output = outputWithin(step.frame, id);
    return `${JSON.stringify(id)}:${output === undefined ? "{}" : `{"output":${output.json}}`}`;
  });
  return `{${parts.join(",")}}`;
}

function nodesValue(step: Step, expression: Expression): Record<string, unknown> {
  const parts = nodeIds(step, [expression]).map((id): [string, unknown] => {
    const output = outputWithin(step.frame, id);
    return [id, output === undefined ? {} : { output: output.value }];
  });
  return Object.fromEntries(parts);
}

function nearestSwitch(step: Step): unknown {
  const { frame } = step;
  const isSwitch = (id: string) => frameOf(frame, id)?.graph.byId.get(id)?.node.type === "switch";
  const found = ancestorsWithin(step).find((id) => isSwitch(id) && outputWithin(frame, id) !== undefined);
  return found === undefined ? undefined : outputWithin(frame, found)?.value;
}

/** What a step was reached from: a node, the trigger, or in a loop's body the loop with its item. */
function nodeBefore({ trigger }: Run, { taken, frame }: Step): { id: string; name: string; output: unknown } {
  const id = taken[0]?.source ?? triggerSource;
  if (id !== triggerSource) {
    return { id, name: frame.graph.byId.get(id)?.node.name ?? id, output: outputWithin(frame, id)?.value ?? null };
  }
  if (frame.iteration === null) return { id, name: "Trigger", output: trigger.body ?? null };
  const { loop, item } = frame.iteration;
  return { id: loop.node.node.id, name: loop.node.node.name, output: item.value };
}

/** Ids of all nodes before this step, the nearest first: in a loop's body those before the loop too. */
function ancestorsWithin({ node, frame }: Step): string[] {
  const own = ancestorsOf(frame.graph, node.node.id);
  return frame.iteration === null ? own : [...own, ...ancestorsWithin(frame.iteration.loop)];
}

/** The addresses of the nodes that wait for a call, by id; of a loop's own iteration, and of what is around it. */
function resumeUrls(run: Run, { graph, iteration }: Frame): Record<string, string> {
  const waiting = graph.order.filter(({ node }) => node.type === "wait");
  const own = waiting.map(({ node }): [string, string] => [node.id, resumeUrl(run.id, stepId(node.id, iteration))]);
  return { ...(iteration === null ? {} : resumeUrls(run, iteration.loop.frame)), ...Object.fromEntries(own) };
}

function frameOf(frame: Frame, id: string): Frame | undefined {
  if (frame.graph.byId.has(id)) return frame;
  return frame.iteration === null ? undefined : frameOf(frame.iteration.loop.frame, id);
}

function outputWithin(frame: Frame, id: string): JsonText | undefined {
  const outcome = frameOf(frame, id)?.outcomes.get(id);
  return outcome === undefined ? undefined : visibleOutput(outcome);
}
