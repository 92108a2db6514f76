/**
 * Tells libraries of the page's Content-Security-Policy, where they look for it: those that make `<style>` elements the
 * nonce, and zod that nothing may be compiled at run time, or it would try.
 */
export function obeyPolicy(nonce: string): void {
  if (typeof window === "undefined") return;
  const zod = Object.assign(Reflect.get(globalThis, "__zod_globalConfig") ?? {}, { jitless: true });
  Object.assign(globalThis, { __webpack_nonce__: nonce, __zod_globalConfig: zod });
}
