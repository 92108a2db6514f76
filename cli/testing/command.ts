import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExitCode } from "../failure.ts";
import { runCommand } from "../run-command.ts";

export interface Ended {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, without a terminal. */
export async function command(environment: Record<string, string>, ...given: readonly string[]): Promise<Ended> {
  let [out, err] = ["", ""];
  const streams = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text) },
  };
  const code = await runCommand(given, streams, environment, "1.2.3");
  return { code, out, err };
}

export function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), "millrace-cli-"));
}
