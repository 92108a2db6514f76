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

/** Which share of the heap that V8 allows this process would be in use with so many bytes more. Garbage counts as used. */
export function heapShareWith(bytes = 0): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return (used + bytes) / limit;
}

/** What V8 allows this process: by default a share of the machine's or container's memory. */
export function heapBytesMax(): number {
  return getHeapStatistics().heap_size_limit;
}
