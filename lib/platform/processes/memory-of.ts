import { readFileSync } from "node:fs";

const pageBytes = 4_096;

/** Bytes of a process in memory; 0 where the system does not tell (Linux does). */
export function memoryOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
}
