import { mapInTurns } from "#lib/platform/turns.ts";
import { cutBelow, jsonTypes, mergeInto, newShape, placesOf, type Shape, shapeLimits } from "./learn-from-value.ts";

/** The learned shapes of a flow's version. */
export interface FlowShapes {
  /** The number of sampled runs. */
  runs: number;
  /** The shape of `$trigger`; null before the first run. */
  trigger: Shape | null;
  /** The shapes of outputs, by node id. */
  readonly nodes: Map<string, Shape>;
}

/** Stored bytes of one version. With its earlier versions, a flow has at most 200 KiB. */
export const versionBytesMax = 65_536;
export const versionsKept = 3;
const nodesMax = 500;

export function noShapes(): FlowShapes {
  return { runs: 0, trigger: null, nodes: new Map() };
}

/** The shape of a node's output, to add to; null if there are too many nodes. */
export function shapeOfNode({ nodes }: FlowShapes, nodeId: string): Shape | null {
  const known = nodes.get(nodeId);
  if (known !== undefined) return known;
  if (nodes.size >= nodesMax) return null;
  const made = newShape();
  nodes.set(nodeId, made);
  return made;
}

/** Merges what others have learned. */
export function mergeShapes(shapes: FlowShapes, other: FlowShapes): void {
  shapes.runs += other.runs;
  if (other.trigger !== null) {
    shapes.trigger ??= newShape();
    mergeInto(shapes.trigger, other.trigger);
  }
  for (const [id, shape] of other.nodes) {
    const own = shapeOfNode(shapes, id);
    if (own !== null) mergeInto(own, shape);
  }
  for (const shape of allShapes(shapes)) cutToPlaces(shape);
}

function allShapes({ trigger, nodes }: FlowShapes): Shape[] {
  return [...(trigger === null ? [] : [trigger]), ...nodes.values()];
}

/** Two shapes within the limit can exceed it when merged. */
function cutToPlaces(shape: Shape): void {
  for (let levels = shapeLimits.depthMax; levels > 1 && placesOf(shape) > shapeLimits.placesMax; levels -= 1) {
    cutBelow(shape, levels);
  }
}

/** The stored form: counts of types in the order of `jsonTypes`, then fields, items and others. */
type Folded = readonly [
  counts: readonly number[],
  fields: Readonly<Record<string, Folded>> | 0,
  items: Folded | 0,
  others: Folded | 0,
  /** 2: closed. */
  isCut: 0 | 1 | 2,
];

interface FoldedShapes {
  readonly trigger: Folded | 0;
  readonly nodes: Readonly<Record<string, Folded>>;
}

/** The stored text, without the number of runs. Drops the deepest levels until it fits. Yields to the event loop. */
export async function foldShapes(shapes: FlowShapes): Promise<string> {
  for (let levels: number = shapeLimits.depthMax; ; levels -= 1) {
    const trigger = shapes.trigger === null ? "0" : JSON.stringify(fold(shapes.trigger));
    const nodes = await mapInTurns([...shapes.nodes], ([id, shape]) => {
      return `${JSON.stringify(id)}:${JSON.stringify(fold(shape))}`;
    });
    const text = `{"trigger":${trigger},"nodes":{${nodes.join(",")}}}`;
    if (Buffer.byteLength(text) <= versionBytesMax || levels === 0) return text;
    for (const shape of allShapes(shapes)) cutBelow(shape, levels);
  }
}

/** Reads what `foldShapes` wrote. */
export function unfoldShapes(text: string, runs: number): FlowShapes {
  const { trigger, nodes } = JSON.parse(text) as FoldedShapes;
  const entries = Object.entries(nodes).map(([id, folded]): [string, Shape] => [id, unfold(folded)]);
  return { runs, trigger: trigger === 0 ? null : unfold(trigger), nodes: new Map(entries) };
}

function fold({ types, fields, items, others, isCut, isClosed }: Shape): Folded {
  return [
    jsonTypes.map((type) => types[type] ?? 0),
    fields.size === 0 ? 0 : Object.fromEntries([...fields].map(([name, field]) => [name, fold(field)])),
    items === null ? 0 : fold(items),
    others === null ? 0 : fold(others),
    isClosed ? 2 : isCut ? 1 : 0,
  ];
}

function unfold([counts, fields, items, others, isCut]: Folded): Shape {
  const seen = jsonTypes.flatMap((type, index) => ((counts[index] ?? 0) > 0 ? [[type, counts[index]]] : []));
  const entries = fields === 0 ? [] : Object.entries(fields);
  return {
    types: Object.fromEntries(seen),
    fields: new Map(entries.map(([name, folded]) => [name, unfold(folded)])),
    items: items === 0 ? null : unfold(items),
    others: others === 0 ? null : unfold(others),
    isCut: isCut > 0,
    isClosed: isCut === 2,
  };
}
