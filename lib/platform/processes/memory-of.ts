import { readFileSync } from "node:fs";

const pageBytes = 4_096;

/** The resident memory of a process in bytes; 0 on systems other than Linux. */
export function memoryOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
}
