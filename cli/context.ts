import type { ExitCode } from "./failure.ts";
import type { Environment } from "./server/keys.ts";
import type { Terminal } from "./terminal.ts";

/** What every command receives. */
export interface Context {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

/** A command: takes its arguments and options, and returns an exit code or throws Failure. */
export type Command<Arguments extends readonly unknown[], Options = Record<string, never>> = (
  context: Context,
  options: Options,
  ...given: Arguments
) => Promise<ExitCode>;
