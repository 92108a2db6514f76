import { ancestorsOf } from "#lib/engine/compile.ts";
import { type FlowNode, triggerSource } from "#lib/engine/flow.ts";
import { type JsonText, restoredValue } from "#lib/engine/outcome.ts";
import { type Frame, type Iteration, type Step, stepId } from "#lib/engine/step.ts";
import type { Expression } from "#lib/expressions/expressions.ts";
import { heldValue, mayHaveToParse } from "#lib/json/large-output.ts";
import { nodeDefinition } from "#lib/nodes/registry.ts";
import {
  type Before,
  frameOf,
  Made,
  type Named,
  NodeBefore,
  nothing,
  Outputs,
  outputWithin,
  type ScopedTrigger,
  TriggerBody,
  Written,
} from "./named-values.ts";

/** What a node's expressions may see; computed on demand, once for all of them. */
export interface Scope {
  /** The workspace that owns the data. */
  readonly owner: string;
  /** The previous node's output; `$trigger.body` at the start, the item in a loop's body. */
  readonly input: unknown;
  /** Whether a value is that input, passed on unchanged. Parses nothing. */
  isInput(value: unknown): boolean;
  /** The outputs of all nodes that led here, in the order of their edges. */
  inputs(): { readonly nodeId: string; readonly output: unknown }[];
  /**
   * Parses the large outputs that the node is about to read here and whose values were let go: in turns, where reading
   * one would parse it at once. Undefined if there are none.
   */
  ready(expressions: readonly Expression[], readsInput: boolean): Promise<void> | undefined;
  /** Whether the name exists at all. */
  has(name: string): boolean;
  /** A name's value, for evaluation in the server. */
  value(name: string, expression: Expression): unknown;
  /** The length of that value as JSON, known without serializing it; approximate if it has to be counted. */
  size(name: string, expression: Expression): number;
  /** The JSON text of every name that these expressions mention: a promise if one is long and has to be written. */
  json(expressions: readonly Expression[]): Texts | Promise<Texts>;
}

/** JSON texts by name. */
type Texts = Record<string, string>;

/** What expressions see of a run. */
export interface ScopedRun {
  readonly id: string;
  readonly workspaceId: string;
  readonly flowId: string;
  readonly flowName: string;
  readonly startedAt: string;
  readonly trigger: ScopedTrigger;
  readonly version: { readonly variables: JsonText };
}

/** The URL that resumes a step of a run. */
export type ResumeUrl = (executionId: string, stepId: string) => string;

/** The values of the credentials that expressions read, by name: strings or objects of strings. */
export type CredentialValues = Readonly<Record<string, unknown>>;

/** The scope of one node in this run. */
export function scopeOf(run: ScopedRun, step: Step, credentials: CredentialValues, resumeUrl: ResumeUrl): StepScope {
  return new StepScope(run, step, credentials, resumeUrl);
}

// Shared functions instead of closures: a scope is created for every node of every run.
const names: Readonly<Record<string, (scope: StepScope) => Named>> = {
  $trigger: ({ run }) => new Written(run.trigger),
  $vars: ({ run }) => new Written(run.version.variables),
  $execution: ({ run }) => new Made({ id: run.id, startedAt: run.startedAt }),
  $flow: ({ run }) => new Made({ id: run.flowId, name: run.flowName }),
  $node: ({ run, step }) => new NodeBefore(nodeBefore(run, step)),
  $nodes: ({ step, ancestors }) => new Outputs(step.frame, [...ancestors]),
  $switch: ({ step, ancestors }) => {
    const output = nearestSwitch(step.frame, ancestors);
    return output === undefined ? nothing : new Written(output);
  },
  $credentials: ({ credentials }) => new Made(credentials),
  $file: ({ files }) => new Made(files),
  $resume: (scope) => new Made(scope.resumeUrls(waitsWithin(scope.step.frame))),
};
const iterationNames: Readonly<Record<string, (iteration: Iteration) => Named>> = {
  $item: ({ item }) => new Written(item),
  $index: ({ index }) => new Made(index),
};

export class StepScope implements Scope {
  /** The files that its expressions read, by the read's key. Set before they are evaluated. */
  files: Readonly<Record<string, unknown>> = {};
  readonly run: ScopedRun;
  readonly step: Step;
  readonly credentials: CredentialValues;
  readonly resumeUrl: ResumeUrl;
  /** Each name once; names that are read by id, once per expression. */
  readonly #known = new Map<string | Expression, Named>();
  /** So that the next value does not make them go. */
  readonly #inUse: unknown[] = [];
  #ancestors: ReadonlySet<string> | undefined;
  #input: Before["output"] | undefined;

  constructor(run: ScopedRun, step: Step, credentials: CredentialValues, resumeUrl: ResumeUrl) {
    this.run = run;
    this.step = step;
    this.credentials = credentials;
    this.resumeUrl = resumeUrl;
  }

  get owner(): string {
    return this.run.workspaceId;
  }

  get input(): unknown {
    this.#input ??= nodeBefore(this.run, this.step).output;
    return this.#input.value;
  }

  isInput(value: unknown): boolean {
    const { iteration } = this.step.frame;
    if (this.#isFirst && iteration === null) {
      const trigger = heldValue(this.run.trigger) as ScopedTrigger["value"] | undefined;
      return trigger !== undefined && (trigger.body ?? null) === value;
    }
    const before = this.#isFirst ? iteration?.item : outputWithin(this.step.frame, this.#source);
    return value === (before === undefined ? null : heldValue(before));
  }

  get #source(): string {
    return this.step.taken[0]?.source ?? triggerSource;
  }

  /** Whether its input is what started the run or, in a loop, the item. */
  get #isFirst(): boolean {
    return this.#source === triggerSource;
  }

  /** Ids of all nodes before this step, nearest first. */
  get ancestors(): ReadonlySet<string> {
    this.#ancestors ??= ancestorsWithin(this.step);
    return this.#ancestors;
  }

  inputs() {
    const { taken, frame } = this.step;
    const sources = taken.map(({ source }) => source).filter((source) => source !== triggerSource);
    return [...new Set(sources)].map((nodeId) => ({ nodeId, output: outputWithin(frame, nodeId)?.value ?? null }));
  }

  ready(expressions: readonly Expression[], readsInput: boolean): Promise<void> | undefined {
    return mayHaveToParse() ? this.#restore(expressions, readsInput) : undefined;
  }

  async #restore(expressions: readonly Expression[], readsInput: boolean): Promise<void> {
    const { taken, frame } = this.step;
    const before = taken.map(({ source }) => source).filter((source) => source !== triggerSource);
    const here = expressions.filter(({ path }) => path !== null);
    const names = new Set(here.flatMap((expression) => expression.names));
    const ids = new Set(here.flatMap(({ nodeIds }) => nodeIds ?? []));
    if (readsInput) for (const id of before) ids.add(id);
    else if (before[0] !== undefined && names.has("$node")) ids.add(before[0]);
    const outputs = [...ids].map((id) => outputWithin(frame, id));
    if (names.has("$switch")) outputs.push(nearestSwitch(frame, this.ancestors));
    const { iteration } = frame;
    const readsFirst = this.#isFirst && (readsInput || names.has("$node"));
    if (names.has("$trigger") || (readsFirst && iteration === null)) outputs.push(this.run.trigger);
    if (names.has("$item") || readsFirst) outputs.push(iteration?.item);
    outputs.push(...(iteration?.earlier ?? []));
    for (const output of outputs) if (output !== undefined) this.#inUse.push(await restoredValue(output));
  }

  has(name: string): boolean {
    return Object.hasOwn(names, name) || (this.step.frame.iteration !== null && Object.hasOwn(iterationNames, name));
  }

  value(name: string, expression: Expression): unknown {
    return this.has(name) ? this.#readBy(name, expression).value : undefined;
  }

  size(name: string, expression: Expression): number {
    return this.has(name) ? this.#readBy(name, expression).size : 0;
  }

  json(expressions: readonly Expression[]): Texts | Promise<Texts> {
    const mentioned = new Set(expressions.flatMap((expression) => expression.names));
    const known = [...mentioned].filter((name) => this.has(name));
    const texts: Texts = {};
    const written: Promise<unknown>[] = [];
    for (const name of known) {
      const text = (this.#ofIds(name, readIds(name, expressions)) ?? this.#named(name)).json();
      if (typeof text === "string") texts[name] = text;
      else written.push(text.then((long) => Object.assign(texts, { [name]: long })));
    }
    return written.length === 0 ? texts : Promise.all(written).then(() => texts);
  }

  /** The resume URLs of those of these nodes that wait for a call, by id. */
  resumeUrls(ids: readonly string[]): Record<string, string> {
    const urls = ids.flatMap((id): [string, string][] => {
      const within = frameOf(this.step.frame, id, isCalled);
      return within === undefined ? [] : [[id, this.resumeUrl(this.run.id, stepId(id, within.iteration))]];
    });
    return Object.fromEntries(urls);
  }

  #readBy(name: string, expression: Expression): Named {
    const ids = readIds(name, [expression]);
    if (ids === null) return this.#named(name);
    const key = expression.names.length === 1 ? expression : `${name} ${expression.source}`;
    const made = this.#known.get(key) ?? this.#ofIds(name, ids) ?? nothing;
    this.#known.set(key, made);
    return made;
  }

  #named(name: string): Named {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const { iteration } = this.step.frame;
    const ofIteration = iteration === null ? undefined : iterationNames[name]?.(iteration);
    const made = ofIteration ?? names[name]?.(this) ?? nothing;
    this.#known.set(name, made);
    return made;
  }

  /** Only the nodes and URLs that are read; null for any other name, or if all may be read. */
  #ofIds(name: string, ids: readonly string[] | null): Named | null {
    if (ids === null) return null;
    const { frame } = this.step;
    if (name === "$resume") return new Made(this.resumeUrls(ids));
    return new Outputs(
      frame,
      ids.filter((id) => this.ancestors.has(id)),
    );
  }
}

/** The ids that expressions read of a name; null if they may read any, or if the name holds no ids. */
function readIds(name: string, expressions: readonly Expression[]): readonly string[] | null {
  if (name !== "$nodes" && name !== "$resume") return null;
  const all = expressions.map((expression) => (name === "$nodes" ? expression.nodeIds : expression.resumeIds));
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  return all.includes(null) ? null : [...new Set(all.flatMap((ids) => ids ?? []))];
}

function nearestSwitch(frame: Frame, ancestors: ReadonlySet<string>): JsonText | undefined {
  for (const id of ancestors) {
    const node = frameOf(frame, id)?.graph.byId.get(id)?.node;
    // A disabled node has decided nothing.
    if (node === undefined || node.disabled === true || nodeDefinition(node.type)?.readAs !== "$switch") continue;
    const output = outputWithin(frame, id);
    if (output !== undefined) return output;
  }
  return undefined;
}

/** What a step was reached from: a node, the trigger, or in a loop's body the loop with its item. */
function nodeBefore({ trigger }: ScopedRun, { taken, frame }: Step): Before {
  const id = taken[0]?.source ?? triggerSource;
  if (id !== triggerSource) {
    const output = outputWithin(frame, id);
    const known = output === undefined ? new Made(null) : new Written(output);
    return { id, name: frame.graph.byId.get(id)?.node.name ?? id, output: known };
  }
  if (frame.iteration === null) return { id, name: "Trigger", output: new TriggerBody(trigger) };
  const { loop, item } = frame.iteration;
  return { id: loop.node.node.id, name: loop.node.node.name, output: new Written(item) };
}

/** The nodes before a loop, the same for all its items. */
const ancestorsOfLoops = new WeakMap<Step, ReadonlySet<string>>();

/** Ids of all nodes before this step, nearest first; in a loop's body also those before the loop. */
function ancestorsWithin({ node, frame }: Step): ReadonlySet<string> {
  const own = ancestorsOf(frame.graph, node.node.id);
  if (frame.iteration === null) return new Set(own);
  const { loop } = frame.iteration;
  const ancestors = ancestorsOfLoops.get(loop) ?? ancestorsWithin(loop);
  ancestorsOfLoops.set(loop, ancestors);
  return own.length === 0 ? ancestors : new Set([...own, ...ancestors]);
}

/** Whether a node waits for a call to its own URL. */
const isCalled = ({ type }: FlowNode): boolean => nodeDefinition(type)?.waitsFor === "call";

/** Ids of the nodes that wait for a call, in this iteration and in the graphs around it. */
function waitsWithin({ graph, iteration }: Frame): string[] {
  const own = graph.order.filter(({ node }) => isCalled(node)).map(({ node }) => node.id);
  return iteration === null ? own : [...waitsWithin(iteration.loop.frame), ...own];
}
