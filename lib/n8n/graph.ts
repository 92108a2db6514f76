import type { Link } from "./document.ts";

/** Links by source. */
export function bySource(links: readonly Link[]): ReadonlyMap<string, readonly Link[]> {
  return Map.groupBy(links, ({ source }) => source);
}

/** All nodes reachable from these, including themselves; not beyond `end`. */
export function reachable(
  starts: Iterable<string>,
  from: ReadonlyMap<string, readonly Link[]>,
  end?: string,
): ReadonlySet<string> {
  const found = new Set<string>();
  const stack = [...starts];
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    if (found.has(name) || name === end) continue;
    found.add(name);
    for (const { target } of from.get(name) ?? []) stack.push(target);
  }
  return found;
}

/** The nodes of a loop's body: those on a path from the loop back to it. */
export function bodyOf(loop: string, loopOutput: number, links: readonly Link[]): ReadonlySet<string> {
  const from = bySource(links);
  const leaving = (isBody: boolean) =>
    (from.get(loop) ?? []).filter(({ output }) => (output === loopOutput) === isBody).map(({ target }) => target);
  const inside = reachable(leaving(true), from, loop);
  const after = reachable(leaving(false), from, loop);
  const into = Map.groupBy(links, ({ target }) => target);
  const backwards = new Map(
    [...into].map(([name, list]) => [name, list.map((link) => ({ ...link, target: link.source }))]),
  );
  const returning = reachable(
    (into.get(loop) ?? []).map(({ source }) => source),
    backwards,
    loop,
  );
  return new Set([...inside].filter((name) => !after.has(name) || returning.has(name)));
}

export interface Ordered {
  /** Topological order. */
  readonly order: readonly string[];
  /** Links that lead back, which are not followed. */
  readonly back: ReadonlySet<Link>;
}

/** Sorts nodes topologically. */
export function orderOf(names: readonly string[], links: readonly Link[]): Ordered {
  const from = bySource(links);
  const into = new Set(links.map(({ target }) => target));
  const back = new Set<Link>();
  const done = new Set<string>();
  const order: string[] = [];
  // A depth-first search: from nodes without incoming links, then, if only cycles are left, from the first. The order
  // is reversed in the end, so first branches are visited last.
  for (const start of [...names.filter((name) => !into.has(name)).reverse(), ...names]) {
    if (done.has(start)) continue;
    const open = new Set([start]);
    const path = [{ name: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const link = from.get(top.name)?.at(-1 - top.next);
      top.next += 1;
      if (link === undefined) {
        open.delete(top.name);
        done.add(top.name);
        order.push(top.name);
        path.pop();
      } else if (open.has(link.target)) back.add(link);
      else if (!done.has(link.target)) {
        open.add(link.target);
        path.push({ name: link.target, next: 0 });
      }
    }
  }
  return { order: order.reverse(), back };
}
