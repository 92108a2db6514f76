const known = new Map<string, unknown>();

/**
 * One instance per process. The bundler may load a module more than once (in a route, in the instrumentation), so
 * unique objects such as a connection pool are kept on the global object. Each copy of this module caches what it
 * found.
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
