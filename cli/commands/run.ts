import { buffer } from "node:stream/consumers";
import { followExecution } from "#lib/client/events.ts";
import { readExecution } from "#lib/contract/executions/executions.ts";
import type { StreamEvent } from "#lib/contract/executions/stream.ts";
import { executeFlow } from "#lib/contract/flows/flows.ts";
import type { Command } from "../context.ts";
import { exitCodes, Failure } from "../failure.ts";
import { decodeText, requireText } from "../folder/flow-files.ts";
import { serverOf } from "../server/server.ts";
import { findServerFlow } from "../server/server-flows.ts";
import type { Terminal } from "../terminal.ts";

interface RunOptions {
  readonly data?: string;
  readonly follow?: boolean;
  readonly draft?: boolean;
}

const successStatuses: readonly string[] = ["completed"];
const logCharactersMax = 2_000;

/** Starts a run and waits for its end. A run that does not complete is a difference. */
export const run: Command<[string], RunOptions> = async ({ terminal, environment }, options, flowName) => {
  const server = serverOf(environment);
  const data = await dataOf(options.data);
  const { id, name } = await findServerFlow(server, flowName);
  const started = await server.call(executeFlow, {
    params: { id },
    body: { data, async: true, ...(options.draft === true ? { version: "draft" as const } : {}) },
  });
  const { executionId } = started;
  terminal.print(`${name}: ${server.url}/runs/${executionId}`);
  let status: string = started.status;
  terminal.progress(`${name}: ${status}`);
  for await (const sent of followExecution(server.connection, executionId)) {
    const event = sent as StreamEvent;
    if (event.event === "execution") status = event.data.status;
    if (options.follow === true) printEvent(terminal, event);
    else terminal.progress(`${name}: ${status}`);
  }
  const { output, error, duration } = await server.call(readExecution, { params: { id: executionId } });
  const paint = successStatuses.includes(status) ? "green" : "red";
  terminal.print(
    `${terminal.paint(paint, status)}${duration === null || duration === undefined ? "" : ` after ${duration} ms`}`,
  );
  if (error != null) terminal.print(`${error.nodeId ?? "the run"}: ${error.code}: ${error.message}`);
  else terminal.print(JSON.stringify(output, null, 2));
  const result = { executionId, status, output, error };
  if (options.follow === true) terminal.printJsonLine(result);
  else terminal.printJson(result);
  return successStatuses.includes(status) ? exitCodes.ok : exitCodes.differs;
};

/** Prints an event as a line of text, or of JSON with `--json`. */
export function printEvent(terminal: Terminal, event: StreamEvent): void {
  terminal.printJsonLine(event);
  const { data } = event;
  if (event.event === "log") {
    const { timestamp, level, nodeId, message } = event.data;
    const shown = message.length > logCharactersMax ? `${message.slice(0, logCharactersMax)}…` : message;
    const paint = level === "error" ? "red" : level === "warning" ? "yellow" : "dim";
    terminal.print(
      `${terminal.paint("dim", String(timestamp))} ${terminal.paint(paint, level.padEnd(7))} ${nodeId ?? "run"}: ${shown}`,
    );
  } else if (event.event === "node") {
    const { nodeId, status } = event.data;
    terminal.print(`${status.padEnd(9)} ${nodeId}`);
  } else terminal.progress(String((data as { status?: string }).status));
}

/** Parses `@file`, `-` for standard input, or inline JSON. Throws Failure. */
async function dataOf(given: string | undefined): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  const text =
    given === "-" || given === "@-"
      ? decodeText(await buffer(process.stdin), "standard input")
      : given.startsWith("@")
        ? requireText(given.slice(1))
        : given;
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === "object" && data !== null && !Array.isArray(data)) return data as Record<string, unknown>;
  } catch (error) {
    throw new Failure("usage", `The data is not JSON: ${(error as Error).message}`);
  }
  throw new Failure("usage", "The data must be a JSON object");
}
