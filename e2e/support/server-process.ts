// The running server as a local process: its memory, and its sandbox's children.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { clusterOf } from "#lib/platform/embedded-postgres/cluster.ts";

/** The server's process: the parent of the database that it started. */
export function serverPid(): number {
  const { dataDir } = inject("server");
  const [pid = ""] = readFileSync(join(clusterOf(dataDir ?? ""), "postmaster.pid"), "utf8").split("\n");
  return parentOf(Number(pid));
}

export function memoryBytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(statusOf(pid))?.[1]) * 1_024;
}

/** The processes that evaluate users' code. */
export function sandboxChildren(): number[] {
  const server = serverPid();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === server && commandOf(pid).includes("lib/sandbox/child/main."));
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(statusOf(pid))?.[1]);
}

function statusOf(pid: number): string {
  return readIfExists(`/proc/${pid}/status`);
}

function commandOf(pid: number): string {
  return readIfExists(`/proc/${pid}/cmdline`);
}

/** A process may exit while it is inspected. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
