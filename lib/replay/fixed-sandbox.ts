import type { Sandbox, SandboxTask } from "#lib/sandbox/sandbox.ts";

/**
 * Runs before a task's own programs, in the same realm, which no other task sees. Fixes `Date`, and seeds
 * `Math.random`. The real clock is out of reach afterwards.
 */
function prelude(nowMs: number, seed: number): string {
  return `const Real = Date, { construct, apply } = Reflect;
const own = function Date(...given) {
  if (new.target === undefined) return new Real(${nowMs}).toString();
  return construct(Real, given.length === 0 ? [${nowMs}] : given, new.target === own ? Real : new.target);
};
own.now = function now() { return ${nowMs}; };
own.parse = Real.parse;
own.UTC = Real.UTC;
own.prototype = Real.prototype;
Object.defineProperty(own, "length", { value: 7, configurable: true });
Object.defineProperty(Real.prototype, "constructor", { value: own, writable: true, enumerable: false, configurable: true });
globalThis.Date = own;
let state = ${seed >>> 0};
Math.random = function random() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};
delete globalThis.performance;
return null;`;
}

/** The sandbox with fixed time and random numbers. `seed`: a text such as the id of the evaluating step. */
export function fixedSandbox(sandbox: Sandbox, nowMs: number, seed: string): Pick<Sandbox, "limits" | "run"> {
  const first = { source: prelude(nowMs, hashOf(seed)), kind: "body" } as const;
  return {
    limits: sandbox.limits,
    run: async (task: SandboxTask) => {
      const { results, logs } = await sandbox.run({ ...task, programs: [first, ...task.programs] });
      const [fixed, ...own] = results;
      // If the fixing program itself failed, as for a task that is too large, all programs failed for that reason.
      if (fixed?.ok === false) return { results: task.programs.map(() => fixed), logs };
      return { results: own, logs };
    },
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
