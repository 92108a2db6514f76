// Vitest's set-up of each file whose process runs other files too: its modules, the settings and what `lib` has once are
// those of a new process. What the files before it left behind keeps its own modules, and so its own database.
import { vi } from "vitest";

const first = Symbol.for("millrace-tests.first-environment");
const store = globalThis as unknown as Record<symbol, NodeJS.ProcessEnv | undefined>;

store[first] ??= { ...process.env };
for (const name of Object.keys(process.env)) if (!(name in store[first])) delete process.env[name];
Object.assign(process.env, store[first]);

vi.useRealTimers();
vi.unstubAllGlobals();
for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
  if (Symbol.keyFor(symbol)?.startsWith("millrace.")) Reflect.deleteProperty(globalThis, symbol);
}
vi.resetModules();
