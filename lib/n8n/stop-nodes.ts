import { type Built, isThere, nodeAt, outputOf } from "./built.ts";
import type { Link, N8nNode } from "./document.ts";
import type { Level, Work } from "./level.ts";
import { type Source, shownName } from "./source.ts";

const noteCharactersMax = 4_000;

/** A `stop` in place of a node that cannot be converted; its message describes the node. */
export function stopInPlaceOf(node: N8nNode, id: string, reason: string, input: Source | undefined): Built {
  const was = JSON.stringify(node.parameters, null, 1).slice(0, noteCharactersMax).toWellFormed();
  const message = `Not converted from n8n: “${node.name}” (${node.fullType}): ${reason}. It was: ${was}`;
  const made = { type: "stop", config: { status: "failed", message: message.replaceAll("{{", "\\{{") } };
  const source: Source = { shape: input?.shape ?? "one", json: outputOf(id), isThere: isThere(id) };
  return {
    nodes: [nodeAt(node, id, made)],
    edges: [],
    entries: [id],
    outs: [{ from: id, handle: null, source }],
    decides: false,
    isStop: true,
  };
}

/** Replaces a connection that leads back outside of a loop with a `stop`. */
export function stopAtCycle(work: Work, level: Level, { source, target, output }: Link): void {
  const node = work.nodes.get(source);
  const out = level.outs.get(source)?.[output];
  if (node === undefined) return;
  const id = work.ids.of(`${node.name} again`);
  const message = `Not converted from n8n: here “${node.name}” led back to “${target}”.`.replaceAll("{{", "\\{{");
  const made = nodeAt(
    node,
    id,
    { type: "stop", config: { status: "failed", message } },
    { name: `Back to “${shownName(target)}”`, below: 140 },
  );
  level.nodes.push(made);
  if (out?.from != null)
    level.edges.push({ source: out.from, target: id, ...(out.handle === null ? {} : { sourceHandle: out.handle }) });
  work.gaps.add(
    node,
    id,
    `It leads back to “${shownName(target)}”. Flows only repeat in loops over a list: a stop takes the place of the link back.`,
  );
}
