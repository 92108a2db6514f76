/**
 * One instance a process. The bundler may load a module more than once (a route here, the instrumentation there), so
 * what must be one, as a connection pool, is kept on the global object.
 */
export function singleton<T>(name: string, make: () => T): T {
  const key = Symbol.for(`millrace.${name}`);
  const store = globalThis as unknown as Record<symbol, T | undefined>;
  store[key] ??= make();
  return store[key];
}
