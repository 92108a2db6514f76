import { readFileSync } from "node:fs";
import { getHeapStatistics } from "node:v8";

const pageBytes = 4_096;

/** The resident memory of a process in bytes; 0 on systems other than Linux. */
export function memoryOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
}

const mib = 1_048_576;
/** Of what V8 allows for all values: three semi-spaces, for those just made. */
const youngBytesMax = 192 * mib;
const youngShareMax = 3 / 35;

/**
 * The bytes of values that V8 lets this process keep: by default a share of the machine's or container's memory. V8
 * names a limit that includes the space for values just made, but it ends the process when those to be kept need more
 * than their part of it.
 */
export function keptBytesMax(limit = getHeapStatistics().heap_size_limit, options = nodeOptions()): number {
  const given = Number([...options.matchAll(/--max[-_]old[-_]space[-_]size[= ](\d+)/g)].at(-1)?.[1] ?? 0);
  const byDefault = Math.max(limit - youngBytesMax, limit * (1 - youngShareMax));
  // V8 takes 0 for its default too.
  return Math.min(given === 0 ? byDefault : given * mib, limit);
}

/** What Node was started with, which is meant for V8 too. */
function nodeOptions(): string {
  return `${process.env.NODE_OPTIONS ?? ""} ${process.execArgv.join(" ")}`;
}

/** It cannot change while the process runs. */
let bytesMax: number | undefined;

/** Which share of what this process may keep would be in use with so many bytes more. Garbage counts as used. */
export function heapShareWith(bytes = 0): number {
  bytesMax ??= keptBytesMax();
  return (getHeapStatistics().used_heap_size + bytes) / bytesMax;
}
