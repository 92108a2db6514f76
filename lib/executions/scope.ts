import { ancestorsOf, type GraphEdge, type GraphNode } from "#lib/engine/compile.ts";
import type { Expression } from "#lib/engine/expression.ts";
import { triggerSource } from "#lib/engine/flow.ts";
import { type JsonText, jsonText, type Outcome, visibleOutput } from "#lib/engine/outcome.ts";
import type { Run } from "./run.ts";

/** What a node's expressions may see, made only as far as they ask for it. */
export interface Scope {
  /** The output of the node before; `$trigger.body` at the start. */
  readonly input: JsonText;
  /** Whether there is such a name at all. */
  has(name: string): boolean;
  /** A name's value on the server, for plain member paths. */
  value(name: string, expression: Expression): unknown;
  /** JSON text of every name that these expressions mention. */
  json(expressions: readonly Expression[]): Record<string, string>;
}

/** The values of the credentials that expressions read, by name: strings or objects of strings. */
export type CredentialValues = Readonly<Record<string, unknown>>;

export function scopeOf(
  run: Run,
  node: GraphNode,
  taken: readonly GraphEdge[],
  outcomes: ReadonlyMap<string, Outcome>,
  credentials: CredentialValues,
): Scope {
  const { graph } = run.version;
  const before = taken[0]?.source ?? triggerSource;
  const outputOf = (id: string): JsonText | undefined => {
    const outcome = outcomes.get(id);
    return outcome === undefined ? undefined : visibleOutput(outcome);
  };
  const input = before === triggerSource ? jsonText(run.trigger.body) : (outputOf(before) ?? jsonText(null));
  const ancestors = () => ancestorsOf(graph, node.node.id);

  const nodeIds = (expressions: readonly Expression[]): string[] => {
    const own = ancestors();
    if (expressions.some((expression) => expression.nodeIds === null)) return own;
    const wanted = new Set(expressions.flatMap((expression) => expression.nodeIds ?? []));
    return own.filter((id) => wanted.has(id));
  };
  const nodesJson = (expressions: readonly Expression[]): string => {
    const parts = nodeIds(expressions).map((id) => {
      const output = outputOf(id);
      return `${JSON.stringify(id)}:${output === undefined ? "{}" : `{"output":${output.json}}`}`;
    });
    return `{${parts.join(",")}}`;
  };
  const nodesValue = (expression: Expression): Record<string, unknown> => {
    const parts = nodeIds([expression]).map((id): [string, unknown] => {
      const output = outputOf(id);
      return [id, output === undefined ? {} : { output: output.value }];
    });
    return Object.fromEntries(parts);
  };
  const nearestSwitch = (): unknown => {
    const found = ancestors().find((id) => graph.byId.get(id)?.node.type === "switch" && outputOf(id) !== undefined);
    return found === undefined ? undefined : outputOf(found)?.value;
  };

  const values: Record<string, (expression: Expression) => unknown> = {
    $trigger: () => run.trigger,
    $vars: () => run.version.variables.value,
    $execution: () => ({ id: run.id, startedAt: run.startedAt }),
    $flow: () => ({ id: run.flowId, name: run.flowName }),
    $node: () => ({ id: before, name: graph.byId.get(before)?.node.name ?? "Trigger", output: input.value }),
    $nodes: nodesValue,
    $switch: nearestSwitch,
    $credentials: () => credentials,
  };
  const texts: Record<string, (expressions: readonly Expression[]) => string> = {
    $trigger: () => run.triggerJson,
    $vars: () => run.version.variables.json,
    $nodes: nodesJson,
  };
  return {
    input,
    has: (name) => Object.hasOwn(values, name),
    value: (name, expression) => values[name]?.(expression),
    json: (expressions) => {
      const names = new Set(expressions.flatMap((expression) => expression.names));
      const known = [...names].filter((name) => Object.hasOwn(values, name));
      const first = expressions[0] as Expression;
      return Object.fromEntries(
        known.map((name) => [name, texts[name]?.(expressions) ?? jsonText(values[name]?.(first)).json]),
      );
    },
  };
}
