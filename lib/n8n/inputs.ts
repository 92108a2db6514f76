import { isThere, nodeAt, type Out, outputOf } from "./built.ts";
import type { N8nNode } from "./document.ts";
import type { Level, Work } from "./level.ts";
import { listOf, type Source, shownName } from "./source.ts";

/** The decisions that all of them share. */
export function sharedDecisions(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const [first = new Map<string, number>(), ...others] = all;
  if (others.length === 0) return first;
  return new Map([...first].filter(([id, output]) => others.every((decisions) => decisions.get(id) === output)));
}

/** Whether at most one of these can be taken in a run. */
export function areExclusive(outs: readonly Out[]): boolean {
  if (outs.length > 30) return false;
  return outs.every((out, index) =>
    outs
      .slice(index + 1)
      .every((other) => [...out.when].some(([id, output]) => other.when.has(id) && other.when.get(id) !== output)),
  );
}

interface Joined {
  readonly source: Source;
  readonly edges: readonly Pick<Out, "from" | "handle">[];
}

/** The data of one input, as one expression. */
export function joinInputs(work: Work, level: Level, node: N8nNode, outs: readonly Out[]): Joined {
  const [first, ...others] = outs;
  if (first === undefined) return { source: { shape: "one", json: "({})", isThere: "true" }, edges: [] };
  if (others.every(({ source }) => source.json === first.source.json && source.shape === first.source.shape)) {
    if (others.length === 0) return { source: first.source, edges: outs };
    return {
      source: { ...first.source, isThere: `(${outs.map(({ source }) => source.isThere).join(" || ")})` },
      edges: outs,
    };
  }
  const id = work.ids.of(`${node.name} input`);
  const isSingle = areExclusive(outs) && outs.every(({ source }) => source.shape === "one");
  const js = isSingle
    ? outs.reduceRight(
        (rest, { source }) => (rest === "" ? source.json : `${source.isThere} ? ${source.json} : ${rest}`),
        "",
      )
    : `[${outs.map(({ source }) => `...(${source.isThere} ? ${listOf(source)} : [])`).join(", ")}]`;
  const made = nodeAt(
    node,
    id,
    { type: "transform", config: { transform: js } },
    { name: `What “${shownName(node.name)}” takes` },
  );
  level.nodes.push({ ...made, position: { x: made.position.x - 200, y: made.position.y } });
  for (const { from, handle } of outs) {
    if (from !== null)
      level.edges.push({ source: from, target: id, ...(handle === null ? {} : { sourceHandle: handle }) });
  }
  const source: Source = {
    shape: isSingle ? "one" : "list",
    json: outputOf(id),
    isThere: isThere(id),
    ...(isSingle ? {} : { line: Symbol(id) }),
  };
  return { source, edges: [{ from: id, handle: null }] };
}
