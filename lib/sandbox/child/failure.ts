import type { SandboxError, SandboxLimits, SandboxResult } from "./protocol.ts";

/** The prelude's description of something thrown. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export function failed(
  kind: SandboxError["kind"],
  name: string,
  message: string,
  position: number | null = null,
): SandboxResult {
  return { ok: false, error: { kind, name, message, position } };
}

/** The child can import nothing from outside this directory. */
const formatMs = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

export const overCpu = (limits: SandboxLimits): SandboxResult =>
  failed("limit", "CpuLimitError", `it used more than ${formatMs(limits.cpuMs)} of CPU time`);

export const overMemory = (limits: SandboxLimits): SandboxResult =>
  failed("limit", "MemoryLimitError", `it used more than ${Math.round(limits.memoryBytes / 1024)} KiB of memory`);

export const overResult = (limits: SandboxLimits): SandboxResult =>
  failed("limit", "ResultLimitError", `its result is larger than ${Math.round(limits.resultBytes / 1024)} KiB`);

export const overTaskCpu = (cpuMs: number): SandboxResult =>
  failed("limit", "CpuLimitError", `the expressions before it used more than ${formatMs(cpuMs)} of CPU time together`);

export const overTaskResults = (bytes: number): SandboxResult =>
  failed("limit", "ResultLimitError", `the results before it are larger than ${Math.round(bytes / 1024)} KiB together`);

/**
 * The offset of the innermost position in the user's own text, or null. Frames in the wrapper's first line are ignored.
 * The engine gives no position for reading a member of null or undefined; if the member's name occurs only once, that
 * is the position.
 */
export function positionOf(thrown: ThrownError, source: string): number | null {
  const missing = /^(\S+) is not defined$/.exec(thrown.message);
  const member = /^cannot (?:read|set) property '(.+)' of (?:undefined|null)$/.exec(thrown.message)?.[1];
  const places = member === undefined ? [] : occurrencesOf(source, member);
  if (places.length === 1) return places[0] as number;
  const frame = /\bprogram:(\d+):(\d+)/.exec(thrown.stack);
  const line = Number(frame?.[1] ?? 1) - 2;
  if (line < 0) return missing === null ? null : (occurrencesOf(source, missing[1] ?? "")[0] ?? null);
  const lines = source.split("\n");
  if (line >= lines.length) return source.length;
  const start = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
  return Math.min(start + Number(frame?.[2] ?? 1) - 1, source.length);
}

function occurrencesOf(source: string, word: string): number[] {
  const places: number[] = [];
  for (let at = source.indexOf(word); at >= 0; at = source.indexOf(word, at + 1)) {
    const neighbors = (source[at - 1] ?? " ") + (source[at + word.length] ?? " ");
    if (!/[\w$]/.test(neighbors)) places.push(at);
  }
  return places;
}
