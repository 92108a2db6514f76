// One invocation of the command line, from its arguments to its exit code.
import { CommanderError } from "commander";
import { asFileFailure, type ExitCode, exitCodes, Failure } from "./failure.ts";
import { type Invocation, programOf } from "./program.ts";
import type { Environment } from "./server/keys.ts";
import { Terminal } from "./terminal.ts";

interface Streams {
  readonly out: ConstructorParameters<typeof Terminal>[0]["out"];
  readonly err: ConstructorParameters<typeof Terminal>[0]["err"];
}

/** Runs a command. Every failure is reported and becomes an exit code. */
export async function runCommand(
  given: readonly string[],
  { out, err }: Streams,
  environment: Environment,
  version: string,
): Promise<ExitCode> {
  const invocation: Invocation = {};
  const program = programOf(invocation, version);
  const output = { writeOut: (text: string) => void out.write(text), writeErr: (text: string) => void err.write(text) };
  for (const parser of [program, ...program.commands]) parser.exitOverride().configureOutput(output);
  try {
    await program.parseAsync([...given], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  const terminal = new Terminal({ isJson: invocation.isJson === true, out, err, environment });
  if (invocation.run === undefined) {
    program.outputHelp({ error: true });
    return exitCodes.usage;
  }
  try {
    return await invocation.run({ terminal, environment }, program);
  } catch (error) {
    return printFailure(terminal, error);
  } finally {
    terminal.done();
  }
}

async function printFailure(terminal: Terminal, thrown: unknown): Promise<ExitCode> {
  const own = asFileFailure(thrown);
  // Loaded lazily: offline commands do not need the client.
  const error = own instanceof Failure ? own : (await import("./server/server.ts")).serverFailure(own);
  if (error instanceof Failure) {
    if (terminal.isJson) terminal.printJson({ error: { message: error.message, ...error.details } });
    else terminal.warn(`${terminal.paint("red", "millrace:")} ${error.message}`);
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (terminal.isJson) terminal.printJson({ error: { message: text } });
  terminal.warn(`millrace: this should not happen. Please report it, with what follows:\n${text}`);
  return exitCodes.usage;
}
