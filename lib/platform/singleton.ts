const known = new Map<string, unknown>();

/**
 * One instance a process. The bundler may load a module more than once (a route here, the instrumentation there), so
 * what must be one, as a connection pool, is kept on the global object; each copy of this module remembers what it found.
 */
export function singleton<T>(name: string, make: () => T): T {
  const found = known.get(name);
  if (found !== undefined) return found as T;
  const key = Symbol.for(`millrace.${name}`);
  const store = globalThis as unknown as Record<symbol, T | undefined>;
  store[key] ??= make();
  const made = store[key];
  known.set(name, made);
  return made;
}
