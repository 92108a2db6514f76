import type { Link } from "./document.ts";

/** Links by where they begin. */
export function bySource(links: readonly Link[]): ReadonlyMap<string, readonly Link[]> {
  return Map.groupBy(links, ({ source }) => source);
}

/** All nodes that links lead to from these, themselves included; not beyond `end`. */
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

/** The nodes of a loop's body: what its items go through, and what they come back from. */
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
  /** So that links lead forwards only. */
  readonly order: readonly string[];
  /** Those that lead back, and are not followed. */
  readonly back: ReadonlySet<Link>;
}

/** The nodes in an order in which each comes after those that lead to it. */
export function orderOf(names: readonly string[], links: readonly Link[]): Ordered {
  const from = bySource(links);
  const into = new Set(links.map(({ target }) => target));
  const back = new Set<Link>();
  const done = new Set<string>();
  const order: string[] = [];
  // From where nothing leads to, and then, where all lead in circles, from the first. What is reached last comes first in
  // the end, so that the first ways of all are taken last.
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
