import { isJsonObject } from "#lib/engine/json.ts";

/** A place at which two JSON values are not the same; `undefined` where one of them has nothing there. */
export interface Difference {
  readonly path: string;
  readonly here: unknown;
  readonly there: unknown;
}

/** The places at which two JSON values differ, as deep as both go on, in their order; at most so many. */
export function differingValues(here: unknown, there: unknown, path: string, most: number): Difference[] {
  if (Object.is(here, there)) return [];
  const steps = stepsOf(here, there, path);
  if (steps === null) return [{ path, here, there }];
  const found: Difference[] = [];
  for (const step of steps) {
    if (found.length >= most) break;
    found.push(...differingValues(step.here, step.there, step.path, most - found.length));
  }
  return found;
}

/** What both hold, member by member; null where they cannot be told apart any deeper. */
function stepsOf(here: unknown, there: unknown, path: string): Difference[] | null {
  if (Array.isArray(here) && Array.isArray(there)) {
    const length = Math.max(here.length, there.length);
    return Array.from({ length }, (_, at) => ({ path: `${path}[${at}]`, here: here[at], there: there[at] }));
  }
  if (!isJsonObject(here) || !isJsonObject(there)) return null;
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  return names.map((name) => ({ path: memberPath(path, name), here: own(here, name), there: own(there, name) }));
}

function own(value: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function memberPath(path: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}
