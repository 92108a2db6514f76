import type { ExitCode } from "./failure.ts";
import type { Environment } from "./server/keys.ts";
import type { Terminal } from "./terminal.ts";

/** What every command gets. */
export interface Context {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

/** A command: its arguments in order, its options. It ends with a code, or throws Failure. */
export type Command<Arguments extends readonly unknown[], Options = Record<string, never>> = (
  context: Context,
  options: Options,
  ...given: Arguments
) => Promise<ExitCode>;
